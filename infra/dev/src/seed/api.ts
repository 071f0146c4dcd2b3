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

/** Posts JSON to the API, or gets when there is no body. */
export async function ask(
  { baseUrl, apikey, token }: ApiAccess,
  path: string,
  body?: unknown,
): Promise<ApiAnswer> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      apikey,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
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
