import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { stack } from './stack.js';

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. A text is sent as it is, and other values as JSON. */
  readonly body?: unknown;
  /** The gateway to call; the first one if omitted. */
  readonly origin?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON of the body; `undefined` if the body is empty or not JSON. */
  readonly json: unknown;
}

/** A practice, and a function for calls as its user. */
export interface Practice {
  readonly therapistId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** Calls `/rest/v1/<path>` as this practice. */
  readonly rest: (path: string, call?: Call) => Promise<Answer>;
}

/**
 * Signs up a new practice. A busy machine may be late with the answer, although the sign-up is then carried out: the next attempt has
 * another address.
 * @param origin a gateway for the sign-up and for the practice's calls; the first one if omitted
 * @throws when the sign-up is refused
 */
export async function newPractice(origin?: string): Promise<Practice> {
  for (let left = 3; ; left -= 1) {
    const login = { email: `practice-${randomUUID()}@example.com`, password: randomUUID() };
    const answer = await call('/auth/v1/signup', { method: 'POST', body: login, origin });
    if (left === 0 || ![503, 504].includes(answer.status)) return practiceOf(login, answer, origin);
  }
}

/**
 * The practice of a user who has just signed in.
 * @param answer the response to the sign-in
 * @throws when the sign-in was refused
 */
export function practiceOf(
  { email, password }: Pick<Practice, 'email' | 'password'>,
  answer: Answer,
  origin?: string,
): Practice {
  if (answer.status !== 200) throw new Error(`the sign-in was answered ${answer.status}: ${answer.text}`);
  const { access_token: token, user } = answer.json as { access_token: string; user: { id: string } };
  const authorization = { authorization: `Bearer ${token}` };
  return {
    therapistId: user.id,
    email,
    password,
    token,
    rest: (path, given = {}) =>
      call(`/rest/v1/${path}`, { origin, ...given, headers: { ...authorization, ...given.headers } }),
  };
}

/**
 * Kept connections to the shared gateway, which no spec stops. They are closed before the gateway would close them, because a call
 * fails if the gateway closes its connection at the same moment.
 */
const kept = new Agent({ keepAlive: true, timeout: 2_000 });

/** Calls the API with its key. `path` begins with a slash. It does not use `fetch`, which takes several times the processor time. */
export async function call(
  path: string,
  { method = 'GET', headers = {}, body, origin }: Call = {},
): Promise<Answer> {
  const { baseUrl, apikey } = stack();
  const bytes = Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
  const ofBody = body !== undefined && {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  };
  const sent = request(`${origin ?? baseUrl}${path}`, {
    method,
    headers: { apikey, ...ofBody, ...headers },
    agent: origin === undefined && kept,
  });
  sent.end(bytes);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = await textOf(response);
  return { status: response.statusCode ?? 0, headers: headersOf(response), text, json: parsed(text) };
}

const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
