import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '@practice/operator';

export interface ApiAccess {
  readonly baseUrl: string;
  readonly apikey: string;
  /** Absent before signing in. */
  readonly token?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body read as JSON; undefined if it is something else. */
  readonly body: unknown;
}

export interface Call {
  readonly method: string;
  /** With the slash at its beginning. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the call is given up. */
  readonly within?: number;
}

/** Calls the API. It rejects only if no response came. */
export async function call(
  { baseUrl, apikey, token }: ApiAccess,
  { method, path, body, headers = {}, within }: Call,
): Promise<Answer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      apikey,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(within !== undefined && { signal: AbortSignal.timeout(within) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TOO_MANY = 429;
const MOST_ATTEMPTS = 4;

/** Posts JSON to the API, or gets when there is no body. A limit that is reached is waited for as `Retry-After` asks. */
export async function ask(access: ApiAccess, path: string, body?: unknown): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(access, { method: body === undefined ? 'GET' : 'POST', path, body });
    const retryAfter = Number(answer.headers.get('retry-after') ?? 0);
    if (answer.status !== TOO_MANY || retryAfter === 0 || attempt === MOST_ATTEMPTS) return answer;
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
  throw new Failure(`${path} was answered ${answer.status}: ${answer.text}`);
}
