// Refusals and failures as replies.

import { problemBody, Rejection } from '@practice/core';
import type { Problem } from '@practice/core';
import type { Reply } from './request.js';

/** The answer to a request that was refused. */
export function problemReply(problem: Problem): Reply<string> {
  return {
    status: problem.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...problem.headers },
    body: problemBody(problem),
  };
}

/** The answer to a request that met a defect: says nothing but which request it was. */
export function failureReply(requestId: string): Reply<string> {
  return problemReply({
    status: 500,
    code: 'XX000',
    message: 'Internal error',
    hint: `Request id ${requestId}`,
  });
}

/** A service is away or overloaded. Nothing is known about whether the request was carried out. */
export function unavailable(service: string, why: string): Rejection {
  return new Rejection({
    status: 503,
    code: 'PM503',
    message: `The ${service} service ${why}`,
    headers: { 'Retry-After': '1' },
  });
}
