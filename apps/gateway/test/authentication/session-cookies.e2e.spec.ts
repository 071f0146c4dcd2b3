import { describe, expect, it } from '@jest/globals';
import { newPractice, stack, type Practice } from '@practice/testing';

interface Given {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly cookie?: string;
  readonly body?: object;
  /** Whether the key is in the header, which a form cannot send. If false, it is in the address. */
  readonly isByForm?: boolean;
}

/** A call as a browser makes it: with its cookies, and no bearer. */
async function visit(path: string, { method = 'GET', headers = {}, cookie, body, isByForm }: Given = {}) {
  const url = new URL(path, stack().baseUrl);
  if (isByForm === true) url.searchParams.set('apikey', stack().apikey);
  const response = await fetch(url, {
    method,
    headers: {
      ...(isByForm === true ? {} : { apikey: stack().apikey }),
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const set = response.headers.getSetCookie();
  return { status: response.status, headers: response.headers, text, set, jar: jarOf(set) };
}

/** The cookies that a browser would send back. */
const jarOf = (set: readonly string[]): string => set.map((one) => one.split(';')[0]).join('; ');

const prefer = { prefer: 'session=cookie' };
const signIn = ({ email, password }: Pick<Practice, 'email' | 'password'>) =>
  visit('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: prefer,
    body: { email, password },
  });
const refresh = (given: Given) =>
  visit('/auth/v1/token?grant_type=refresh_token', { method: 'POST', headers: prefer, ...given });

describe('a session in cookies', () => {
  it('has its tokens in HttpOnly cookies and not in the body', async () => {
    const practice = await newPractice();
    const { status, headers, set, text } = await signIn(practice);
    expect(status).toBe(200);
    expect(headers.get('preference-applied')).toBe('session=cookie');
    expect(Object.keys(JSON.parse(text) as object).sort()).toEqual([
      'expires_at',
      'expires_in',
      'token_type',
      'user',
    ]);
    expect(set).toEqual([
      expect.stringMatching(
        /^__Host-practice-access=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-practice-refresh=[\w-]{32}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    for (const value of set.map((one) => one.split(/[=;]/)[1] ?? '')) expect(text).not.toContain(value);
  });

  it('may read, and may write only with the key in the header', async () => {
    const { jar: cookie } = await signIn(await newPractice());
    expect((await visit('/auth/v1/user', { cookie })).status).toBe(200);
    expect((await visit('/rest/v1/clients', { cookie })).status).toBe(200);
    expect((await visit('/rest/v1/clients', { cookie, isByForm: true })).status).toBe(200);
    const write = { method: 'POST', cookie, body: { name: 'Ada' } };
    const forms = [
      await visit('/rest/v1/clients', { ...write, isByForm: true }),
      await visit('/auth/v1/logout', { ...write, isByForm: true }),
      await visit('/auth/v1/tokens', { ...write, isByForm: true }),
      await visit('/rest/v1/clients?id=eq.x', { ...write, method: 'DELETE', isByForm: true }),
      await visit('/auth/v1/reauthenticate', { cookie, isByForm: true }),
    ];
    for (const { status, text, set } of forms) {
      expect(status).toBe(401);
      expect(JSON.parse(text)).toMatchObject({
        message: 'No API key found in request',
        hint: 'A call by cookie that changes something needs the `apikey` request header.',
      });
      expect(set).toEqual([]);
    }
    expect((await visit('/rest/v1/clients', { cookie })).text).toBe('[]');
    expect((await visit('/rest/v1/clients', write)).status).toBe(201);
  });

  it('is used when the header names no user, and ignored when it names one', async () => {
    const [practice, other] = [await newPractice(), await newPractice()];
    const { jar: cookie } = await signIn(practice);
    const userFor = async (bearer: string): Promise<unknown> => {
      const answer = await visit('/auth/v1/user', { cookie, headers: { authorization: `Bearer ${bearer}` } });
      return (JSON.parse(answer.text) as { id?: string }).id;
    };
    expect(await userFor(stack().apikey)).toBe(practice.therapistId);
    expect(await userFor(other.token)).toBe(other.therapistId);
    expect(await userFor('pat_nobody')).toBeUndefined();
    expect((await visit('/auth/v1/user', { cookie: 'other=1' })).status).toBe(401);
    expect((await visit('/auth/v1/user', { cookie: '__Host-practice-access=a.b.c' })).status).toBe(403);
  });

  it('is refreshed with its cookie', async () => {
    const first = await signIn(await newPractice());
    const second = await refresh({ cookie: first.jar });
    expect(second.status).toBe(200);
    expect(second.set).toHaveLength(2);
    expect(second.jar).not.toBe(first.jar);
    expect((await visit('/rest/v1/clients', { cookie: second.jar })).status).toBe(200);
    expect((await refresh({ cookie: second.jar, isByForm: true })).status).toBe(401);
    expect((await refresh({ body: {} })).status).toBe(400);
    expect((await refresh({ cookie: second.jar, headers: {} })).status).toBe(400);
  });

  it('removes its cookies at sign-out', async () => {
    const { jar: cookie } = await signIn(await newPractice());
    const answer = await visit('/auth/v1/logout', { method: 'POST', cookie });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.set).toEqual([
      expect.stringMatching(/^__Host-practice-access=; Max-Age=0; /),
      expect.stringMatching(/^__Host-practice-refresh=; Max-Age=0; /),
    ]);
    expect((await visit('/rest/v1/clients', { cookie })).status).toBe(401);
    expect((await refresh({ cookie })).status).toBe(400);
  });

  it('removes its cookies at sign-out after the session or its access token has ended', async () => {
    const { jar } = await signIn(await newPractice());
    const [, refreshOnly = ''] = jar.split('; ');
    const late = await visit('/auth/v1/logout', { method: 'POST', cookie: refreshOnly });
    expect([late.status, late.set.length]).toEqual([401, 2]);
    const encoded = await visit('/auth/v1/%6cogout', { method: 'POST', cookie: refreshOnly });
    expect([encoded.status, encoded.set]).toEqual([401, late.set]);
    await visit('/auth/v1/logout', { method: 'POST', cookie: jar });
    const again = await visit('/auth/v1/logout', { method: 'POST', cookie: jar });
    expect([again.status, again.set]).toEqual([403, late.set]);
    expect((await visit('/auth/v1/user', { cookie: jar })).set).toEqual([]);
    expect((await visit('/auth/v1/logout', { method: 'POST', cookie: jar, isByForm: true })).set).toEqual([]);
  });

  it('fits into cookies with the largest user_metadata', async () => {
    const { email, password, token } = await newPractice();
    const data = { about: 'é'.repeat(2000) };
    const change = await fetch(`${stack().baseUrl}/auth/v1/user`, {
      method: 'PUT',
      headers: { apikey: stack().apikey, authorization: `Bearer ${token}` },
      body: JSON.stringify({ data }),
    });
    expect(change.status).toBe(200);
    const { set, text } = await signIn({ email, password });
    for (const one of set) expect(Buffer.byteLength(one)).toBeLessThan(4096);
    expect(JSON.parse(text)).toMatchObject({ user: { user_metadata: data } });
  });
});
