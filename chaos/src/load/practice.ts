// A practice of the load, and how it calls the API.
import { randomUUID } from 'node:crypto';

export interface Api {
  /** Where callers reach the gateway. */
  readonly origin: string;
  readonly apikey: string;
}

/** Answers after which the outcome is open, or nothing was executed: the caller asks again. */
export const ASKS_AGAIN: readonly number[] = [408, 503, 507];

export interface Practice {
  readonly therapistId: string;
  readonly token: string;
}

export interface Request {
  readonly method: string;
  /** With the slash at its beginning. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a request once.
 * @throws when the connection breaks, or no answer comes within `within` milliseconds
 */
export async function send(
  { origin, apikey }: Api,
  { token }: Pick<Practice, 'token'>,
  { method, path, body, headers = {}, within = 15_000 }: Request & { readonly within?: number },
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...{ apikey, ...(token !== '' && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(within),
  });
  return { status: response.status, text: await response.text() };
}

/**
 * Signs up a practice.
 * @throws when it is refused
 */
export async function signUp(api: Api): Promise<Practice> {
  const body = { email: `practice-${randomUUID()}@example.com`, password: randomUUID() };
  const { status, text } = await send(api, { token: '' }, { method: 'POST', path: '/auth/v1/signup', body });
  if (status !== 200) throw new Error(`the sign-up was answered ${status}: ${text}`);
  const { access_token: token, user } = JSON.parse(text) as { access_token: string; user: { id: string } };
  return { therapistId: user.id, token };
}
