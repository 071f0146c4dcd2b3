// A gateway divides its capacity among the practices that are active. Each has its own queue, so a busy practice delays only itself.

import { reject } from '@practice/core';
import { overload } from '../http/problem-response.js';
import { observeRefusal } from '../http/request-metrics.js';

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

export interface Shares {
  /** Concurrent requests, divided evenly among the active practices. */
  readonly capacity: number;
  /** The minimum for each practice, however many are active. */
  readonly least: number;
  /** The longest queue of one practice. */
  readonly mayWait: number;
}

const tooMuch = { ...overload, message: 'Too many requests of this practice are waiting' };

const SHARES: Shares = { capacity: 32, least: 4, mayWait: 512 };

export class FairQueue {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly shares: Shares = SHARES) {}

  /**
   * Starts a request. Call `done` when it ends, unless this throws.
   * @returns a promise to wait for, or undefined if the request may start now (this saves a promise per request)
   * @throws {Rejection} `PM503` when the practice's queue is full
   */
  take(practice: string): Promise<void> | undefined {
    const queue = this.queues.get(practice);
    if (queue === undefined) {
      this.queues.set(practice, { running: 1, waiting: [] });
      return undefined;
    }
    if (queue.running < this.share()) {
      queue.running += 1;
      return undefined;
    }
    if (queue.waiting.length >= this.shares.mayWait) {
      observeRefusal('overload');
      return reject(tooMuch);
    }
    return new Promise((resolve) => queue.waiting.push(resolve));
  }

  /** Ends a request and starts the next ones in the queue. */
  done(practice: string): void {
    const queue = this.queues.get(practice) as Queue;
    queue.running -= 1;
    if (queue.running === 0 && queue.waiting.length === 0) this.queues.delete(practice);
    for (const share = this.share(); queue.running < share && queue.waiting.length > 0; queue.running += 1)
      queue.waiting.shift()?.();
  }

  /** The requests of all practices. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const queues = [...this.queues.values()];
    return {
      running: queues.reduce((sum, { running }) => sum + running, 0),
      waiting: queues.reduce((sum, { waiting }) => sum + waiting.length, 0),
    };
  }

  private share(): number {
    return Math.max(this.shares.least, Math.floor(this.shares.capacity / Math.max(1, this.queues.size)));
  }
}
