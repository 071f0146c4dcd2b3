import { createHash } from 'node:crypto';

/** A process that did not accept a connection is not tried for this long, unless no other is left. */
const REST_MS = 1000;

/** The live processes: in turn, or the same one for all streams of a practice. */
export class LiveProcesses {
  private readonly restsUntil = new Map<string, number>();
  private next = 0;

  /** @param origins such as `http://127.0.0.1:8080` */
  constructor(private readonly origins: readonly string[]) {}

  /** All processes in the order in which to try them: the next one in turn first, and last the processes that failed lately. */
  inTurn(now: number = Date.now()): readonly string[] {
    this.next = (this.next + 1) % Math.max(1, this.origins.length);
    const turned = [...this.origins.slice(this.next), ...this.origins.slice(0, this.next)];
    const isResting = (origin: string): boolean => (this.restsUntil.get(origin) ?? 0) > now;
    return [...turned.filter((origin) => !isResting(origin)), ...turned.filter(isResting)];
  }

  /**
   * All processes in the order in which to try them for a key, such as a practice: always the same as long as the processes are
   * (rendezvous hashing), and last the processes that failed lately.
   */
  inOrderOf(key: string, now: number = Date.now()): readonly string[] {
    const weighed = this.origins.map((origin) => {
      const weight = createHash('sha256').update(`${key} ${origin}`).digest('hex');
      return { origin, weight, isResting: (this.restsUntil.get(origin) ?? 0) > now };
    });
    weighed.sort(
      (one, other) => Number(one.isResting) - Number(other.isResting) || (one.weight < other.weight ? -1 : 1),
    );
    return weighed.map(({ origin }) => origin);
  }

  failed(origin: string, now: number = Date.now()): void {
    this.restsUntil.set(origin, now + REST_MS);
  }
}
