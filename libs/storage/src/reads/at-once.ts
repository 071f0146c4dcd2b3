/** Limits how many operations of a key, such as a practice, run at the same time. Further operations wait, in order. */
export class AtOnce {
  private readonly queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  /** @param most the number of operations at the same time */
  constructor(private readonly most: number) {}

  /**
   * Begins an operation; call `leave` when it ends.
   * @returns a promise to wait for, or undefined if it begins now (this saves a promise per statement)
   */
  enter(key: string): Promise<void> | undefined {
    const queue = this.queues.get(key);
    if (queue === undefined) {
      this.queues.set(key, { running: 1, waiting: [] });
      return undefined;
    }
    if (queue.running >= this.most) return new Promise((resolve) => queue.waiting.push(resolve));
    queue.running += 1;
    return undefined;
  }

  /** The number of operations of a key that wait. */
  waiting(key: string): number {
    return this.queues.get(key)?.waiting.length ?? 0;
  }

  /** Ends an operation. The operation that has waited longest begins. */
  leave(key: string): void {
    const queue = this.queues.get(key);
    if (queue === undefined) return;
    const next = queue.waiting.shift();
    if (next !== undefined) next();
    else if ((queue.running -= 1) === 0) this.queues.delete(key);
  }
}
