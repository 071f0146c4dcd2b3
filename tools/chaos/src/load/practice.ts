// A practice of the load, and how it calls the API.
import { randomUUID } from 'node:crypto';
import { type Answer, call, type Call, type ApiAccess } from '@practice/start';

export type { Answer, ApiAccess, Call };

/** Answers after which the outcome is open, or nothing was executed: the caller asks again. */
export const ASKS_AGAIN: readonly number[] = [408, 503, 507];

export interface Practice {
  readonly therapistId: string;
  readonly token: string;
}

/** Milliseconds until a caller gives up waiting for an answer. */
const ANSWERED_WITHIN = 15_000;

/**
 * Sends a request once.
 * @throws when the connection breaks, or no answer comes in time
 */
export const send = (api: ApiAccess, { token }: Pick<Practice, 'token'>, request: Call): Promise<Answer> =>
  call({ ...api, token }, { within: ANSWERED_WITHIN, ...request });

/**
 * Signs up a practice.
 * @throws when it is refused
 */
export async function signUp(api: ApiAccess): Promise<Practice> {
  const body = { email: `practice-${randomUUID()}@example.com`, password: randomUUID() };
  const { status, text } = await send(api, { token: '' }, { method: 'POST', path: '/auth/v1/signup', body });
  if (status !== 200) throw new Error(`the sign-up was answered ${status}: ${text}`);
  const { access_token: token, user } = JSON.parse(text) as { access_token: string; user: { id: string } };
  return { therapistId: user.id, token };
}
