// How many requests a caller may send. The counters sit behind rate-limiter-flexible's own interface,
// so a store that several gateways share can take the place of this process's memory.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** What is counted: reads and writes for each user, sign-ups and sign-ins for each client address. */
export type LimitKind = 'reads' | 'writes' | 'auth';

/** A caller's standing within the running minute. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

const WINDOW_SECONDS = 60;

export class Limits {
  private readonly limiters: ReadonlyMap<LimitKind, RateLimiterAbstract>;

  /** @param perMinute requests a minute of each kind; 0 switches a limit off */
  constructor(perMinute: Readonly<Record<LimitKind, number>>) {
    const kinds = (Object.keys(perMinute) as LimitKind[]).filter((kind) => perMinute[kind] > 0);
    this.limiters = new Map(kinds.map((kind) => [kind, inMemory(kind, perMinute[kind])]));
  }

  /** Counts a request; null when this limit is off. */
  async take(kind: LimitKind, caller: string): Promise<Quota | null> {
    const limiter = this.limiters.get(kind);
    if (limiter === undefined) return null;
    try {
      return quotaOf(limiter.points, await limiter.consume(caller), false);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return quotaOf(limiter.points, refusal, true);
      throw refusal;
    }
  }

  /** The standing of a caller of whom nothing has been counted. */
  untouched(kind: LimitKind): Quota | null {
    const limiter = this.limiters.get(kind);
    if (limiter === undefined) return null;
    const limit = limiter.points;
    return { limit, remaining: limit, resetSeconds: WINDOW_SECONDS, isExceeded: false };
  }
}

function inMemory(kind: LimitKind, points: number): RateLimiterAbstract {
  return new RateLimiterMemory({ keyPrefix: kind, points, duration: WINDOW_SECONDS });
}

function quotaOf(limit: number, counted: RateLimiterRes, isExceeded: boolean): Quota {
  const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  return { limit, remaining: counted.remainingPoints, resetSeconds, isExceeded };
}
