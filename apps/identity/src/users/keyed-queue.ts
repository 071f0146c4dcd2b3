import { refuse, tooBusy } from '../calls/problems.js';

/** Work of one key that waits. */
const MAY_WAIT = 100;

/** Lets work of the same key run one after the other, and work of different keys at the same time. */
export class KeyedQueue {
  private readonly waiting = new Map<string, (() => void)[]>();

  /** @throws {Rejection} when too much work of this key waits, or what `work` throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.next(key);
    try {
      return await work();
    } finally {
      const next = this.waiting.get(key)?.shift();
      if (next === undefined) this.waiting.delete(key);
      else next();
    }
  }

  private next(key: string): Promise<void> | undefined {
    const waiting = this.waiting.get(key);
    if (waiting === undefined) {
      this.waiting.set(key, []);
      return undefined;
    }
    if (waiting.length >= MAY_WAIT) refuse({ ...tooBusy, headers: { 'Retry-After': '2' } });
    return new Promise((resolve) => waiting.push(resolve));
  }
}
