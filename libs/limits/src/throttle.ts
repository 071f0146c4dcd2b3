// A limit on how often something may happen to one key, such as an address or an account.

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

  /** Seconds until the next attempt is allowed; 0 when it is allowed now. Counts nothing. */
  async remainingSeconds(key: string): Promise<number> {
    const counted = await this.counter.get(hashed(key));
    return counted === null || counted.consumedPoints < this.points ? 0 : secondsOf(counted);
  }

  /** Counts an attempt, whether or not it is allowed. */
  async count(key: string): Promise<void> {
    await this.counter.penalty(hashed(key));
  }

  /** Counts an attempt if it is allowed. Returns 0 when it is, otherwise the seconds until the next one is allowed. */
  async take(key: string): Promise<number> {
    try {
      await this.counter.consume(hashed(key));
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return secondsOf(refusal);
      throw refusal;
    }
  }

  /** Takes one attempt back that was counted. */
  async giveBack(key: string): Promise<void> {
    await this.counter.reward(hashed(key));
  }

  /** Forgets what was counted for a key. */
  async reset(key: string): Promise<void> {
    await this.counter.delete(hashed(key));
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** The store holds no e-mail or network addresses. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');
