// Refusals of requests beyond a limit. Each is counted.

import { tooBusy, tooManyRequests } from '@practice/contracts';
import { problemFor, Rejection } from '@practice/core';
import type { Problem } from '@practice/core';
import { counter } from '@practice/metrics';
import type { LimitKind, Quota } from './limits.js';

const refused = counter('practice_requests_refused_total');

/** Refused before anything was done: more than can be answered in time. */
export const overload = {
  ...problemFor('PM503', { message: 'The gateway is overloaded' }),
  headers: { 'Retry-After': '1' },
} satisfies Problem;

const rateLimited = problemFor('PM004');

/** Counts a request that a limit refuses. */
export function observeRefusal(limit: LimitKind | 'overload'): void {
  refused.inc({ limit });
}

/** The refusal of a request for which there is no room. @param isAuthCall whether it is one of the auth API */
export function overloadOf(isAuthCall: boolean): Problem {
  observeRefusal('overload');
  return isAuthCall ? { ...tooBusy, headers: overload.headers } : overload;
}

/** @throws {Rejection} 429 when the quota is exceeded */
export function refuseBeyond(quota: Quota | null, isAuthCall = false): void {
  if (quota?.isExceeded !== true) return;
  const { kind, resetSeconds } = quota;
  observeRefusal(kind);
  const problem = isAuthCall ? tooManyRequests : rateLimited;
  throw new Rejection({ ...problem, headers: { 'Retry-After': String(resetSeconds) } });
}
