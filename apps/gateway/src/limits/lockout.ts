// Many wrong passwords for one account from one address lock the two out for a while, whether the account exists or not.

import { createHash } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** Who tries to sign in as whom. */
export interface Attempt {
  readonly address: string;
  readonly email: string;
}

const FAILURES = 10;
const LOCK_SECONDS = 15 * 60;

export class Lockout {
  private readonly failures: RateLimiterAbstract = new RateLimiterMemory({
    keyPrefix: 'failed-sign-ins',
    points: FAILURES,
    duration: LOCK_SECONDS,
  });

  /** Seconds until another attempt is looked at; 0 when it may be made now. */
  async remainingSeconds(attempt: Attempt): Promise<number> {
    const counted = await this.failures.get(keyOf(attempt));
    if (counted === null || counted.consumedPoints < FAILURES) return 0;
    return Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  }

  async countFailure(attempt: Attempt): Promise<void> {
    await this.failures.penalty(keyOf(attempt));
  }

  /** After a sign-in that succeeded. */
  async forget(attempt: Attempt): Promise<void> {
    await this.failures.delete(keyOf(attempt));
  }
}

/** Hashed, so that no address is kept in a store's keys. */
const keyOf = ({ address, email }: Attempt): string =>
  createHash('sha256').update(`${address} ${email}`).digest('base64url');
