import { call, type Answer } from './practice.js';

/** The part of a sign-in response that specs use. */
export interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly user: { readonly id: string; readonly email: string; readonly user_metadata: object };
}

/** Calls the auth API, with `token` as the bearer if given. */
export function auth(
  method: string,
  path: string,
  given: {
    body?: unknown;
    token?: string;
    origin?: string | undefined;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer> {
  const { body, token, origin, headers = {} } = given;
  return call(`/auth/v1/${path}`, {
    method,
    body,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    origin,
  });
}

export const signIn = (
  { email, password }: { email: string; password: string },
  origin?: string,
): Promise<Answer> => auth('POST', 'token?grant_type=password', { body: { email, password }, origin });

/** The status of a read of the practice's records with this token. */
export async function readStatus(token: string, origin?: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await call('/rest/v1/appointments', { headers, origin });
  return answer.status;
}
