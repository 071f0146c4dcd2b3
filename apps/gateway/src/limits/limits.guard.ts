import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { problemFor, Rejection } from '@practice/core';
import type { Problem } from '@practice/core';
import { tooManyRequests } from '@practice/contracts';
import { networkOf } from '@practice/limits';
import { kindOf } from '../http/common-headers.js';
import { isAuthCall } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import { observeRefusal } from '../http/request-metrics.js';
import { countedByAddress } from './counted.js';
import { Limits } from './limits.js';
import type { Quota } from './limits.js';

const rateLimited: Problem = problemFor('PM004');

/** Counts each request of a user, and each attempt to become one; refuses those beyond the limit. */
@Injectable()
export class LimitsGuard implements CanActivate {
  constructor(private readonly limits: Limits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.getArgByIndex<HttpRequest>(0);
    const byAddress = countedByAddress(context.getHandler());
    const caller = byAddress === undefined ? userOf(request) : networkOf(request.ip);
    if (caller === undefined) {
      // No user and no address limit, as for the public keys: not counted.
      request.quota = this.limits.untouched(kindOf(request));
      return true;
    }
    request.quota = await this.limits.take(byAddress ?? kindOf(request), caller);
    refuseBeyond(request.quota, isAuthCall(request.raw.url ?? '') ? tooManyRequests : rateLimited);
    return true;
  }
}

/**
 * Account calls are counted per session. So a flood with a stolen token cannot stop the owner, who signs in again, from
 * ending all other sessions.
 */
function userOf({ identity, raw }: HttpRequest): string | undefined {
  return (isAuthCall(raw.url ?? '') ? identity?.sessionId : undefined) ?? identity?.userId;
}

/** @throws {Rejection} 429 when the quota is exceeded */
export function refuseBeyond(quota: Quota | null, problem: Problem = rateLimited): void {
  if (quota?.isExceeded !== true) return;
  const { kind, resetSeconds } = quota;
  observeRefusal(kind);
  throw new Rejection({ ...problem, headers: { 'Retry-After': String(resetSeconds) } });
}
