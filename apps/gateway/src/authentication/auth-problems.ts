// The gateway's own refusals of calls of the auth API, with the codes and messages that Supabase's clients know.

import type { AuthProblem } from '@practice/contracts';

const problem = (status: number, code: string, message: string): AuthProblem => ({ status, code, message });

export const noBearer = problem(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
export const missingSub = problem(403, 'bad_jwt', 'invalid claim: missing sub claim');
export const sessionGone = problem(
  403,
  'session_not_found',
  'Session from session_id claim in JWT does not exist',
);
export const sessionNeeded = problem(
  403,
  'no_authorization',
  'This endpoint requires a session: a personal access token is not enough',
);
export const foreignToken = problem(
  403,
  'no_authorization',
  'This endpoint requires a session of this API: a token of another issuer is not enough',
);
export const badJwt = (why: string): AuthProblem =>
  problem(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${why}`);
export const wrongMethod = (method: string, allow: string): AuthProblem => ({
  ...problem(405, 'method_not_allowed', `Unsupported HTTP method: ${method}`),
  headers: { Allow: allow },
});
