// Rejections and failures as replies.

import { problemBody, Rejection } from '@practice/core';
import type { Problem } from '@practice/core';
import type { Reply } from './request.js';

/** The reply to a rejected request. */
export function problemReply(problem: Problem): Reply<string> {
  return {
    status: problem.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...problem.headers },
    body: problemBody(problem),
  };
}

/** A service is unavailable or overloaded. Whether it executed the request is unknown. */
export function unavailable(service: string, why: string): Rejection {
  return new Rejection({
    status: 503,
    code: 'PM503',
    message: `The ${service} service ${why}`,
    headers: { 'Retry-After': '1' },
  });
}

/** A request that does not fit into a NATS message. */
export const tooLarge = (): Rejection =>
  new Rejection({ status: 413, code: 'PM413', message: 'The request is too large' });
