import type { Trouble } from './health.js';

/** The troubles that a process has at present. */
export class Troubles {
  private readonly present = new Map<string, Trouble>();

  /** @param trouble null once the trouble with this key is over */
  set(key: string, trouble: Trouble | null): void {
    if (trouble === null) this.present.delete(key);
    else this.present.set(key, trouble);
  }

  /** One of each kind. */
  all(): Trouble[] {
    return [
      ...new Map([...this.present.values()].map((one) => [`${one.place} ${one.problem}`, one])).values(),
    ];
  }
}
