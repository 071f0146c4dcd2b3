// The address after the hash: `#/clients/<id>`.

const parts = (): string[] => location.hash.replace(/^#\/?/, '').split('/').filter(Boolean);

class Route {
  parts = $state(parts());

  constructor() {
    addEventListener('hashchange', () => (this.parts = parts()));
  }

  get screen(): string {
    return this.parts[0] ?? 'calendar';
  }

  /** The part after the screen; null while the address names another screen. */
  idOf(screen: string): string | null {
    return this.screen === screen ? (this.parts[1] ?? null) : null;
  }
}

export const route = new Route();
export const go = (path: string): void => void (location.hash = `/${path}`);
