// The requests of a person's browser to the page of a proposal.

import { type Practice, stack } from '@practice/testing';

export async function visit(
  path: string,
  cookie: string,
  form?: Readonly<Record<string, string>>,
): Promise<Response> {
  const { baseUrl } = stack();
  return fetch(`${baseUrl}/oauth/${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: {
      ...{ cookie, origin: baseUrl, connection: 'close' },
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
  });
}

/** Signs in, opens a proposal and answers it. Resolves to the pages that were shown. */
export async function confirmed(
  { email, password }: Pick<Practice, 'email' | 'password'>,
  id: string,
  action: 'confirm' | 'decline',
): Promise<string> {
  const next = `proposal?id=${id}`;
  const entered = await visit('sign-in', '', { email, password, next });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const shown = await visit(entered.headers.get('location') ?? '', cookie);
  const answered = await visit('proposal', cookie, { id, action });
  return `${await shown.text()}${await answered.text()}`;
}
