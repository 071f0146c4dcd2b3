// A gateway divides its capacity among the practices that are active. Each has its own queue, so a busy practice delays only itself.

import { oncePer, reject } from '@practice/core';
import { observeRefusal, overload } from './limits.js';

const WINDOW_MS = 1000;

/**
 * Counts the practices that have sent a request lately: within one to two windows of a second. Requests of a few
 * milliseconds rarely run at the same time, but their practices still share the gateway.
 */
export class RecentlyActive {
  private current = new Set<string>();
  private previous = new Set<string>();
  private endsAt: number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.endsAt = now() + WINDOW_MS;
  }

  add(practice: string): void {
    this.turn();
    this.current.add(practice);
  }

  get count(): number {
    this.turn();
    return Math.max(this.current.size, this.previous.size);
  }

  private turn(): void {
    const now = this.now();
    if (now < this.endsAt) return;
    this.previous = now < this.endsAt + WINDOW_MS ? this.current : new Set();
    this.current = new Set();
    this.endsAt = now + WINDOW_MS;
  }
}

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

interface Shares {
  /** Concurrent requests, divided evenly among the practices that were active lately. */
  readonly capacity: number;
  /** The minimum for each practice, however many are active. */
  readonly least: number;
  /** While fewer requests than this are running, any request starts, because the processors have time for it. */
  readonly idleBelow: number;
  /** The longest queue of one practice. */
  readonly mayWait: number;
}

const tooMuch = { ...overload, message: 'Too many requests of this practice are waiting' };

const SHARES: Shares = { capacity: 32, least: 4, idleBelow: 6, mayWait: 512 };

export class FairQueue {
  private readonly queues = new Map<string, Queue>();
  private readonly queueOf = oncePer(this.queues, (): Queue => ({ running: 0, waiting: [] }));
  private running = 0;

  constructor(
    private readonly shares: Shares = SHARES,
    private readonly active = new RecentlyActive(),
  ) {}

  /**
   * Starts a request. Call `done` when it ends, unless this throws.
   * @returns a promise to wait for, or undefined if the request may start now (this saves a promise per request)
   * @throws {Rejection} `PM503` when the practice's queue is full
   */
  take(practice: string): Promise<void> | undefined {
    this.active.add(practice);
    const queue = this.queueOf(practice);
    if (this.mayStart(queue)) {
      this.start(queue);
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
    const queue = this.queueOf(practice);
    queue.running -= 1;
    this.running -= 1;
    if (queue.running === 0 && queue.waiting.length === 0) this.queues.delete(practice);
    while (queue.waiting.length > 0 && this.mayStart(queue)) {
      this.start(queue);
      queue.waiting.shift()?.();
    }
  }

  /** The numbers of requests of all practices. */
  get counts(): { readonly running: number; readonly waiting: number } {
    const waiting = [...this.queues.values()].reduce((sum, queue) => sum + queue.waiting.length, 0);
    return { running: this.running, waiting };
  }

  private mayStart({ running }: Queue): boolean {
    return running < this.shares.least || this.running < this.shares.idleBelow || running < this.share();
  }

  private start(queue: Queue): void {
    queue.running += 1;
    this.running += 1;
  }

  private share(): number {
    return Math.floor(this.shares.capacity / Math.max(1, this.active.count));
  }
}
