// A practice that asks for very much waits for itself: of each practice only so many requests are with the services at a time,
// and the more practices ask at the moment, the fewer. The others stand in a line of the practice's own.

import { reject } from '@practice/core';
import { overload } from '../door/problem-answer.js';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export interface Shares {
  /** Requests with the services that the practices present share evenly. */
  readonly capacity: number;
  /** What each may have there, however many practices there are. */
  readonly least: number;
  /** Requests of one practice that may wait. */
  readonly mayWait: number;
}

const tooMuch = { ...overload, message: 'Too many requests of this practice wait already' };

const SHARES: Shares = { capacity: 32, least: 4, mayWait: 256 };

export class Turns {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly shares: Shares = SHARES) {}

  /**
   * Begins a request; `done` has to be called for it, unless this throws.
   * @returns what to wait for, if it is not its turn yet: who need not wait pays for no promise
   * @throws {Rejection} `PM503` when too many of the practice's requests wait already
   */
  take(practice: string): Promise<void> | undefined {
    const line = this.lines.get(practice);
    if (line === undefined) {
      this.lines.set(practice, { running: 1, waiting: [] });
      return undefined;
    }
    if (line.running < this.share()) {
      line.running += 1;
      return undefined;
    }
    if (line.waiting.length >= this.shares.mayWait) return reject(tooMuch);
    return new Promise((resolve) => line.waiting.push(resolve));
  }

  /** Ends a request, and lets those go on whose turn that makes it. */
  done(practice: string): void {
    const line = this.lines.get(practice) as Line;
    line.running -= 1;
    if (line.running === 0 && line.waiting.length === 0) this.lines.delete(practice);
    for (const share = this.share(); line.running < share && line.waiting.length > 0; line.running += 1)
      line.waiting.shift()?.();
  }

  private share(): number {
    return Math.max(this.shares.least, Math.floor(this.shares.capacity / Math.max(1, this.lines.size)));
  }
}
