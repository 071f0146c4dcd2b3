import type { Trouble } from './health.js';

/** The present troubles of a process. */
export class Troubles {
  private readonly present = new Map<string, Trouble>();

  /** Sets a trouble. @param trouble null when the trouble with this key is over */
  set(key: string, trouble: Trouble | null): void {
    if (trouble === null) this.present.delete(key);
    else this.present.set(key, trouble);
  }

  /** The present troubles. Troubles with the same place and problem are listed once. */
  all(): Trouble[] {
    return [
      ...new Map([...this.present.values()].map((one) => [`${one.place} ${one.problem}`, one])).values(),
    ];
  }
}
