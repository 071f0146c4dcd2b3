import type { ApiAccess } from '../seed/api.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body read as JSON; undefined if it is something else. */
  readonly body: unknown;
}

/** A call of `/rest/v1/` as a user. It rejects only if no response came. @param target such as `GET clients?limit=1` */
export type CallAs = (
  target: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Calls as this user. */
export const callAs =
  ({ baseUrl, apikey, token }: ApiAccess): CallAs =>
  async (target, body, headers = {}) => {
    const [method = '', path = ''] = target.split(' ');
    const response = await fetch(`${baseUrl}/rest/v1/${path}`, {
      method,
      headers: {
        apikey,
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };

/** The first row of a response; an empty one if the response has no rows. */
export const firstRow = ({ body }: Answer): Readonly<Record<string, unknown>> =>
  (Array.isArray(body) ? (body as Record<string, unknown>[])[0] : undefined) ?? {};

/** The number of rows of a response. */
export const rowsOf = ({ body }: Answer): number => (Array.isArray(body) ? body.length : 0);

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
