import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../failure.js';

export interface ApiAccess {
  readonly baseUrl: string;
  readonly apikey: string;
  /** Absent before signing in. */
  readonly token?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

const TOO_MANY = 429;
const MOST_ATTEMPTS = 4;

/** Posts JSON to the API, or gets when there is no body. A limit that is reached is waited for as `Retry-After` asks. */
export async function ask(access: ApiAccess, path: string, body?: unknown): Promise<ApiAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${access.baseUrl}${path}`, requestOf(access, body));
    const text = await response.text();
    const retryAfter = Number(response.headers.get('retry-after') ?? 0);
    if (response.status !== TOO_MANY || retryAfter === 0 || attempt === MOST_ATTEMPTS) {
      return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    }
    await pause(retryAfter * 1000);
  }
}

/**
 * The same, for a call that must succeed.
 * @throws {Failure} with what the API answered instead
 */
export async function demand(access: ApiAccess, path: string, body?: unknown): Promise<unknown> {
  const answer = await ask(access, path, body);
  if (answer.status < 300) return answer.body;
  throw new Failure(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

function requestOf({ apikey, token }: ApiAccess, body: unknown): RequestInit {
  return {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      apikey,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}
