import { AtOnce } from '@practice/storage';
import { refuse, tooBusy } from './problems.js';

/** Runs work of the same key a few at a time, in order, and work of different keys at the same time. Refuses work beyond its bound. */
export class BoundedQueue {
  private readonly turns: AtOnce;

  /** @param limits how many calls of a key may run, and how many may wait */
  constructor(private readonly limits: { readonly atOnce: number; readonly mayWait: number }) {
    this.turns = new AtOnce(limits.atOnce);
  }

  /** @throws {Rejection} when too much work of this key waits, or what `work` throws */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.turns.waiting(key) >= this.limits.mayWait)
      refuse({ ...tooBusy, headers: { 'Retry-After': '2' } });
    await this.turns.enter(key);
    try {
      return await work();
    } finally {
      this.turns.leave(key);
    }
  }
}
