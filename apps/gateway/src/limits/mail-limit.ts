// How often mail may be asked for, for one account: whether it exists or not, so that nothing tells.

import { createHash } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counters } from './counters.js';

const SECONDS = 60;

export class MailLimit {
  private readonly counter: RateLimiterAbstract;

  constructor(counters: Counters) {
    this.counter = counters.of({ name: 'mails', points: 1, seconds: SECONDS });
  }

  /** Counts a mail. Seconds until the next may be asked for when this one may not; 0 when it may. */
  async take(email: string): Promise<number> {
    try {
      await this.counter.consume(createHash('sha256').update(email).digest('base64url'));
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw refusal;
    }
  }
}
