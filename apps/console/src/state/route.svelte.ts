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

/** The choices of the user on a screen. The tab has them after a reload and on the way back, until the sign-out. */
export const placeOn = <Place extends object>(screen: string, first: Place): Place => ({
  ...first,
  ...(JSON.parse(sessionStorage.getItem(`place ${screen}`) ?? '{}') as Partial<Place>),
});
export const keepPlace = (screen: string, place: object): void =>
  sessionStorage.setItem(`place ${screen}`, JSON.stringify(place));

export const route = new Route();
export const go = (path: string): void => void (location.hash = `/${path}`);
