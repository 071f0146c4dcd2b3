// Locks the check of codes after several wrong ones. A caller who gets that far knows the password, so few guesses are
// allowed, from all addresses together: six digits would otherwise be found by trying.

import { Inject, Injectable } from '@nestjs/common';
import { Throttle } from '@practice/limits';
import type { Counters } from '@practice/limits';
import { refuse, tooManyRequests } from '../calls/problems.js';
import { COUNTERS } from '../calls/counters.js';

const FAILURES = 10;
const LOCK_SECONDS = 15 * 60;

@Injectable()
export class FactorLock {
  private readonly failures: Throttle;

  constructor(@Inject(COUNTERS) counters: Counters) {
    this.failures = new Throttle(counters, {
      name: 'failed-factors',
      points: FAILURES,
      seconds: LOCK_SECONDS,
    });
  }

  /** @throws {Rejection} 429 while the user's codes are locked */
  async require(userId: string): Promise<void> {
    refuseLocked(await this.failures.remainingSeconds(userId));
  }

  /**
   * Counts a code as wrong before it is checked, so that codes that arrive at the same time are not more than allowed.
   * @throws {Rejection} 429 while the user's codes are locked
   */
  async take(userId: string): Promise<void> {
    refuseLocked(await this.failures.take(userId));
  }

  /** After a right code: forgets what was counted. */
  forget(userId: string): Promise<void> {
    return this.failures.reset(userId);
  }
}

function refuseLocked(seconds: number): void {
  if (seconds > 0) refuse({ ...tooManyRequests, headers: { 'Retry-After': String(seconds) } });
}
