// The gateway's own refusals of calls of the auth API, with the codes and messages that Supabase's clients know.

import { anonymous, emptyToken, sessionEnded } from '@practice/authentication';
import type { AuthProblem } from '@practice/contracts';
import { Rejection, type Problem } from '@practice/core';

const problem = (status: number, code: string, message: string): AuthProblem => ({ status, code, message });

const noBearer = problem(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
const missingSub = problem(403, 'bad_jwt', 'invalid claim: missing sub claim');
const sessionGone = problem(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
export const sessionNeeded = problem(
  403,
  'no_authorization',
  'This endpoint requires a session: the token of an app or a personal access token is not enough',
);
export const foreignToken = problem(
  403,
  'no_authorization',
  'This endpoint requires a session of this API: a token of another issuer is not enough',
);
const badJwt = (why: string): AuthProblem =>
  problem(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${why}`);
export const wrongMethod = (method: string, allow: string): AuthProblem => ({
  ...problem(405, 'method_not_allowed', `Unsupported HTTP method: ${method}`),
  headers: { Allow: allow },
});

/** An error of `Authentication.verify` with the auth API's codes and messages. @param header the header that was verified */
export const refusalOf = (error: unknown, header: string): unknown =>
  error instanceof Rejection ? new Rejection(authProblemOf(error.problem, header)) : error;

function authProblemOf(problem: Problem, header: string): Problem {
  // The API key names no user; anything else that is not a bearer counts as no authorization.
  if (problem === anonymous) return /^bearer /i.test(header) ? missingSub : noBearer;
  if (problem === emptyToken) return noBearer;
  if (problem === sessionEnded) return sessionGone;
  return problem.status === 401 ? badJwt(problem.message) : problem;
}
