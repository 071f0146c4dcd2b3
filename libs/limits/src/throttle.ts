// A limit of attempts for each key, such as an address or an account.

import { createHash } from 'node:crypto';
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counter, Counters } from './counters.js';

export class Throttle {
  private readonly counter: RateLimiterAbstract;
  private readonly points: number;

  /** Allows `points` per key within `seconds`. */
  constructor(counters: Counters, counter: Counter) {
    this.counter = counters.of(counter);
    this.points = counter.points;
  }

  /** The seconds until the next attempt is allowed; 0 when it is allowed now. Does not count an attempt. */
  async remainingSeconds(key: string): Promise<number> {
    const counted = await this.counter.get(hashed(key));
    return counted === null || counted.consumedPoints < this.points ? 0 : secondsOf(counted);
  }

  /** Counts an attempt, whether or not it is allowed. */
  async count(key: string): Promise<void> {
    await this.counter.penalty(hashed(key));
  }

  /** Counts an attempt. Returns 0 if the attempt is allowed, otherwise the seconds until the next attempt is allowed. */
  async take(key: string): Promise<number> {
    try {
      await this.counter.consume(hashed(key));
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return secondsOf(refusal);
      throw refusal;
    }
  }

  /** Takes back one counted attempt. */
  async giveBack(key: string): Promise<void> {
    await this.counter.reward(hashed(key));
  }

  /** Deletes the count of a key. */
  async reset(key: string): Promise<void> {
    await this.counter.delete(hashed(key));
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** The key in the store. It is hashed, so that the store has no e-mail or network addresses. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');
