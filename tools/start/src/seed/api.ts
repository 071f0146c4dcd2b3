import { randomUUID } from 'node:crypto';
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

const MOST_ATTEMPTS = 6;
const RETRY_MS = 1000;

/** A limit is reached, a service is unavailable, or the first attempt is still running. */
const isTemporary = ({ status, text }: Answer): boolean =>
  status === 429 || status === 503 || (status === 409 && text.includes('"PM005"'));

/**
 * Calls the API, and repeats the call while the answer is temporary. All attempts of a write have the same Idempotency-Key, so it is
 * carried out once.
 * @param wanted a call, or a path, which is sent as a POST with a body, and as a GET without one
 */
export async function ask(access: ApiAccess, wanted: Call | string, body?: unknown): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const given = keyed(typeof wanted === 'string' ? { method, path: wanted, body } : wanted);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call(access, given);
    if (!isTemporary(answer) || attempt === MOST_ATTEMPTS) return answer;
    await pause(Number(answer.headers.get('retry-after') ?? 0) * 1000 || RETRY_MS);
  }
}

/** Gives a write of records an Idempotency-Key. Other calls do not use it. */
const keyed = (call: Call): Call =>
  call.method === 'GET' || !call.path.startsWith('/rest/')
    ? call
    : { ...call, headers: { 'idempotency-key': randomUUID(), ...call.headers } };

/**
 * Calls the API like `ask`, for a call that must succeed.
 * @throws {Failure} with the answer of the API if it does not succeed
 */
export async function demand(access: ApiAccess, wanted: Call | string, body?: unknown): Promise<unknown> {
  const answer = await ask(access, wanted, body);
  if (answer.status < 300) return answer.body;
  const path = typeof wanted === 'string' ? wanted : wanted.path;
  throw new Failure(`${path} was answered ${answer.status}: ${answer.text.slice(0, 1000)}`);
}

/** The owner of a new practice. */
export interface Owner extends Required<ApiAccess> {
  readonly therapistId: string;
  readonly password: string;
}

/** Signs a practice up. @throws {Failure} when it is refused */
export async function signUp({ baseUrl, apikey }: ApiAccess): Promise<Owner> {
  const access = { baseUrl, apikey };
  const person = { email: `practice-${randomUUID()}@example.com`, password: randomUUID() };
  const session = await demand(access, '/auth/v1/signup', person);
  const { access_token: token, user } = session as { access_token: string; user: { id: string } };
  return { ...access, token, therapistId: user.id, password: person.password };
}
