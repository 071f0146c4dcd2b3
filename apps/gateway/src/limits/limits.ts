// How many requests a caller may send in a minute.

import { tooBusy, tooManyRequests } from '@practice/contracts';
import { type Problem, problemFor, Rejection } from '@practice/core';
import type { Counters } from '@practice/limits';
import { counter } from '@practice/metrics';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Reads and writes are counted per user, calls without a user per client address. */
export type LimitKind = 'reads' | 'writes' | 'auth';

/** A caller's quota in the current minute. */
export type Quota = ReturnType<typeof quotaOf>;

export const WINDOW_SECONDS = 60;

interface Limit {
  readonly points: number;
  readonly counter: RateLimiterAbstract;
}

export class Limits {
  private readonly limits: ReadonlyMap<LimitKind, Limit>;

  /** @param perMinute requests a minute of each kind; 0 switches a limit off */
  constructor(perMinute: Readonly<Record<LimitKind, number>>, counters: Counters) {
    const kinds = (Object.keys(perMinute) as LimitKind[]).filter((kind) => perMinute[kind] > 0);
    this.limits = new Map(
      kinds.map((kind) => {
        const points = perMinute[kind];
        return [kind, { points, counter: counters.of({ name: kind, points, seconds: WINDOW_SECONDS }) }];
      }),
    );
  }

  /** Counts a request; null when this limit is off. */
  async take(kind: LimitKind, caller: string): Promise<Quota | null> {
    const limit = this.limits.get(kind);
    if (limit === undefined) return null;
    const { points, counter } = limit;
    try {
      return quotaOf(kind, points, await counter.consume(caller));
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return { ...quotaOf(kind, points, refusal), isExceeded: true };
      throw refusal;
    }
  }

  /** The quota of a caller without counted requests; null when this limit is off. */
  untouched(kind: LimitKind): Quota | null {
    const limit = this.limits.get(kind)?.points;
    if (limit === undefined) return null;
    return { kind, limit, remaining: limit, resetSeconds: WINDOW_SECONDS, isExceeded: false };
  }
}

function quotaOf(kind: LimitKind, limit: number, counted: RateLimiterRes) {
  const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  return { kind, limit, remaining: counted.remainingPoints, resetSeconds, isExceeded: false };
}

// Refusals of requests beyond a limit. Each is counted.

const refused = counter('practice_requests_refused_total');

const SOON = { 'Retry-After': '1' };

/** The refusal of a request that could not be answered in time. Nothing was done for it yet. */
export const overload = problemFor('PM503', { message: 'The gateway is overloaded', headers: SOON });

const rateLimited = problemFor('PM004');

/** Counts a request that a limit refuses. */
export function observeRefusal(limit: LimitKind | 'overload'): void {
  refused.inc({ limit });
}

/** The refusal of a request for which there is no room. @param isAuthCall whether the request is for the auth API */
export function overloadOf(isAuthCall: boolean): Problem {
  observeRefusal('overload');
  return isAuthCall ? { ...tooBusy, headers: SOON } : overload;
}

/** @throws {Rejection} 429 when the quota is exceeded */
export function refuseBeyond(quota: Quota | null, isAuthCall = false): void {
  if (quota?.isExceeded !== true) return;
  const { kind, resetSeconds } = quota;
  observeRefusal(kind);
  const problem = isAuthCall ? tooManyRequests : rateLimited;
  throw new Rejection({ ...problem, headers: { 'Retry-After': String(resetSeconds) } });
}
