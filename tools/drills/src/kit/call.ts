import { type Answer, type ApiAccess, call } from '@practice/start';
/** A call of `/rest/v1/` as a user. It rejects only if no response came. @param target such as `GET clients?limit=1` */
export type CallAs = (
  target: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Calls as this user. */
export const callAs =
  (access: ApiAccess): CallAs =>
  (target, body, headers = {}) => {
    const [method = '', path = ''] = target.split(' ');
    return call(access, { method, path: `/rest/v1/${path}`, body, headers });
  };

/** The first row of a response; an empty one if the response has no rows. */
export const firstRow = ({ body }: Answer): Readonly<Record<string, unknown>> =>
  (Array.isArray(body) ? (body as Record<string, unknown>[])[0] : undefined) ?? {};
