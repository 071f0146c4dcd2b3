// Makes replies from results, rejections and failures.

import { problemBody, problemFor, Rejection, type Problem } from '@practice/core';
import { FRAME_VERSION } from './frame.js';
import type { Reply } from './request.js';

/** The reply to a request of another service: `value` as JSON. */
export const jsonReply = (value: object | boolean | null): Reply<string> => ({
  status: 200,
  headers: {},
  body: JSON.stringify(value),
});

/** The reply to a rejected request. */
export function problemReply(problem: Problem): Reply<string> {
  return {
    status: problem.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...problem.headers },
    body: problemBody(problem),
  };
}

/** PM503: a service is unavailable or overloaded. Either it has not received the request, or the request may be repeated. */
export function unavailable(service: string, why: string): Rejection {
  return new Rejection(
    problemFor('PM503', { message: `The ${service} service ${why}`, headers: { 'Retry-After': '1' } }),
  );
}

/** The problem of a call whose statement of identity is missing, forged, altered, expired or for another service. */
export const noStatement: Problem = problemFor('PM401', {
  message: 'The request has no valid statement of identity',
});

/** The problem of a request whose envelope cannot be read. Not even its request id is known. */
export const unreadable: Problem = problemFor('XX000', {
  hint: 'The service cannot read the envelope of the request',
});

/** The rejection of a request that does not fit into a NATS message. */
export const tooLarge = (): Rejection =>
  new Rejection(problemFor('PM413', { message: 'The request is too large' }));

/** Why a frame that `FrameServer` refuses gets no reply. */
export const misunderstood = `does not understand frame version ${FRAME_VERSION}`;
