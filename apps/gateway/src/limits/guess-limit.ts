// Tokens that nobody has cost a look into the database each, so an address may show only so many of them.

import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counters } from './counters.js';

const GUESSES = 100;
const SECONDS = 60;

export class GuessLimit {
  private readonly counter: RateLimiterAbstract;

  constructor(counters: Counters) {
    this.counter = counters.of({ name: 'unknown-tokens', points: GUESSES, seconds: SECONDS });
  }

  /** Seconds until a token from this address is looked at again; 0 when it is now. */
  async remainingSeconds(address: string): Promise<number> {
    const counted = await this.counter.get(address);
    if (counted === null || counted.consumedPoints < GUESSES) return 0;
    return Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  }

  async count(address: string): Promise<void> {
    await this.counter.penalty(address);
  }
}
