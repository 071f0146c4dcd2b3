// A practice of the load, and how it calls the API.
import { type Answer, type ApiAccess, call, type Call, type Owner } from '@practice/start';

export type { Answer, ApiAccess, Call };

/** Statuses after which the outcome is unknown, or nothing was executed: the caller repeats the request. */
export const ASKS_AGAIN: readonly number[] = [408, 503, 507];

export type Practice = Pick<Owner, 'therapistId' | 'token'>;

/** Milliseconds until a caller gives up waiting for an answer. */
const ANSWERED_WITHIN = 15_000;

/**
 * Sends a request once.
 * @throws when the connection breaks, or no answer comes in time
 */
export const send = (api: ApiAccess, { token }: Pick<Practice, 'token'>, request: Call): Promise<Answer> =>
  call({ ...api, token }, { within: ANSWERED_WITHIN, ...request });
