// Many wrong passwords for one account from one address lock the two out for a while; very many from wherever, the account
// for every address: a botnet guesses no faster than one machine. An account that does not exist is locked alike.

import { createHash } from 'node:crypto';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counters } from './counters.js';

/** Who tries to sign in as whom. */
export interface Attempt {
  readonly address: string;
  readonly email: string;
}

const FAILURES = 10;
/** High, so that strangers who mistype on purpose cannot keep an owner out cheaply. */
const FAILURES_FROM_ANYWHERE = 100;
const LOCK_SECONDS = 15 * 60;

interface Lock {
  readonly failures: number;
  readonly counter: RateLimiterAbstract;
  readonly keyOf: (attempt: Attempt) => string;
}

export class Lockout {
  private readonly fromAddress: Lock;
  private readonly fromAnywhere: Lock;

  constructor(counters: Counters) {
    const counterOf = (name: string, points: number): RateLimiterAbstract =>
      counters.of({ name, points, seconds: LOCK_SECONDS });
    this.fromAddress = {
      failures: FAILURES,
      counter: counterOf('failed-sign-ins', FAILURES),
      keyOf: ({ address, email }) => hashed(`${address} ${email}`),
    };
    this.fromAnywhere = {
      failures: FAILURES_FROM_ANYWHERE,
      counter: counterOf('failed-sign-ins-of-account', FAILURES_FROM_ANYWHERE),
      keyOf: ({ email }) => hashed(email),
    };
  }

  /** Seconds until another attempt is looked at; 0 when it may be made now. */
  async remainingSeconds(attempt: Attempt): Promise<number> {
    const locks = [this.fromAddress, this.fromAnywhere];
    return Math.max(...(await Promise.all(locks.map((lock) => secondsOf(lock, attempt)))));
  }

  async countFailure(attempt: Attempt): Promise<void> {
    const locks = [this.fromAddress, this.fromAnywhere];
    await Promise.all(locks.map(({ counter, keyOf }) => counter.penalty(keyOf(attempt))));
  }

  /** After a sign-in that succeeded. What others tried from elsewhere stays counted. */
  async forget(attempt: Attempt): Promise<void> {
    await this.fromAddress.counter.delete(this.fromAddress.keyOf(attempt));
  }
}

async function secondsOf({ failures, counter, keyOf }: Lock, attempt: Attempt): Promise<number> {
  const counted = await counter.get(keyOf(attempt));
  if (counted === null || counted.consumedPoints < failures) return 0;
  return Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
}

/** No address is kept in a store's keys. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');
