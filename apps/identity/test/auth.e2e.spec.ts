import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { call, newPractice, patient, patientFetch, stack, type Answer } from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

const password = 'correct horse battery';
const newEmail = (): string => `owner-${randomUUID()}@example.com`;

function client(): SupabaseClient {
  const { baseUrl, apikey } = stack();
  return createClient(baseUrl, apikey, {
    global: { fetch: patientFetch },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
}

describe('supabase-js', () => {
  it('signs up and is then signed in', async () => {
    const { auth } = client();
    const email = newEmail();
    const { data, error } = await auth.signUp({ email, password, options: { data: { name: 'Dana' } } });
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(data.user).toMatchObject({
      email,
      aud: 'authenticated',
      role: 'authenticated',
      user_metadata: { name: 'Dana' },
      app_metadata: { provider: 'email', providers: ['email'] },
      is_anonymous: false,
    });
    expect(data.user?.identities).toHaveLength(1);
  });

  it('signs in with the same address however it is written, and gets the user', async () => {
    const email = newEmail();
    const signedUp = await client().auth.signUp({ email, password });
    const { auth } = client();
    const { error } = await auth.signInWithPassword({ email: email.toUpperCase(), password });
    expect(error).toBeNull();
    const { data } = await auth.getUser();
    expect(data.user?.id).toBe(signedUp.data.user?.id);
  });

  it('verifies tokens by itself, with the public keys', async () => {
    const { auth } = client();
    const { data } = await auth.signUp({ email: newEmail(), password });
    const claims = await auth.getClaims();
    expect(claims.error).toBeNull();
    expect(claims.data?.header).toMatchObject({ alg: 'ES256' });
    expect(claims.data?.claims).toMatchObject({
      sub: data.user?.id,
      aud: 'authenticated',
      role: 'authenticated',
      aal: 'aal1',
      iss: `${stack().baseUrl}/auth/v1`,
    });
  });

  it('reads its own data with the session, and none without it', async () => {
    const supabase = client();
    const before = await supabase.from('appointments').select();
    expect(before).toMatchObject({ status: 401, error: { code: 'PGRST302' } });
    await supabase.auth.signUp({ email: newEmail(), password });
    expect(await supabase.from('appointments').select()).toMatchObject({ status: 200, data: [] });
  });

  it('refreshes its session', async () => {
    const { auth } = client();
    const first = await auth.signUp({ email: newEmail(), password });
    const { data, error } = await auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(first.data.session?.refresh_token);
    expect((await auth.getUser()).data.user?.id).toBe(first.data.user?.id);
  });

  it('signs out', async () => {
    const { auth } = client();
    await auth.signUp({ email: newEmail(), password });
    expect((await auth.signOut()).error).toBeNull();
    expect((await auth.getSession()).data.session).toBeNull();
  });

  it('gets the reason of an error', async () => {
    const email = newEmail();
    const { auth } = client();
    await auth.signUp({ email, password });
    const again = await auth.signUp({ email, password: 'another good one' });
    expect(again.error).toMatchObject({ status: 422, code: 'user_already_exists' });
    const wrong = await auth.signInWithPassword({ email, password: 'not this one' });
    expect(wrong.error).toMatchObject({ status: 400, code: 'invalid_credentials' });
    const unknown = await auth.signInWithPassword({ email: newEmail(), password });
    expect(unknown.error).toMatchObject({ status: 400, code: 'invalid_credentials' });
    const weak = await auth.signUp({ email: newEmail(), password: 'short' });
    expect(weak.error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] });
    const invalid = await auth.signUp({ email: 'no-address', password });
    expect(invalid.error).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

describe('the auth API', () => {
  const token = (body: unknown, grant = 'password', headers = {}) =>
    call(`/auth/v1/token?grant_type=${grant}`, { method: 'POST', body, headers });

  /** The sorted statuses of requests at the same time. If a busy machine is late with one, all are sent again for another account. */
  const inTime = async (send: () => Promise<Promise<Answer>[]>): Promise<number[]> => {
    for (let left = 3; ; left -= 1) {
      const statuses = (await Promise.all(await send())).map(({ status }) => status).sort();
      if (left === 0 || !statuses.some((status) => [503, 504].includes(status))) return statuses;
    }
  };

  it('answers an unknown address exactly as a wrong password', async () => {
    const practice = await newPractice();
    const wrong = await token({ email: practice.email, password: 'not this one' });
    const unknown = await token({ email: newEmail(), password: 'not this one' });
    expect(unknown.text).toBe(wrong.text);
    expect(unknown.status).toBe(wrong.status);
  });

  it.each([
    ['{"email":', 'password', 'bad_json'],
    ['[]', 'password', 'bad_json'],
    ['{}', 'password', 'validation_failed'],
    ['{"email":"a@b.de"}', 'password', 'invalid_credentials'],
    ['{"email":"a@b.de","password":{"x":1}}', 'password', 'invalid_credentials'],
    ['{"email":"a@b.de","password":"x"}', 'web3', 'invalid_credentials'],
    ['{"auth_code":"x"}', 'pkce', 'validation_failed'],
    ['{}', 'refresh_token', 'invalid_request'],
    ['{"refresh_token":"abc"}', 'refresh_token', 'validation_failed'],
    [`{"refresh_token":"${'a'.repeat(32)}"}`, 'refresh_token', 'refresh_token_not_found'],
  ])('refuses %s for grant %s with %s', async (body, grant, code) => {
    const answer = await token(body, grant);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-sb-error-code')).toBe(code);
  });

  it('has two shapes of errors, by the version that the caller names', async () => {
    const headers = { 'x-supabase-api-version': '2024-01-01' };
    const named = await token({ email: 'a@b.de', password: 'x' }, 'password', headers);
    expect(named.json).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' });
    expect(named.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    const older = await token({ email: 'a@b.de', password: 'x' });
    expect(older.json).toMatchObject({ code: 400, error_code: 'invalid_credentials' });
  });

  it.each(['\\u0000', '\\ud800'])('refuses user data that cannot be stored: %s', async (text) => {
    const body = `{"email":"${newEmail()}","password":"${password}","data":{"name":"${text}"}}`;
    const answer = await call('/auth/v1/signup', { method: 'POST', body });
    expect(answer.json).toMatchObject({ code: 400, error_code: 'validation_failed' });
  });

  it('opens only one practice for ten sign-ups with one address', async () => {
    const statuses = await inTime(async () => {
      const body = { email: newEmail(), password };
      return Array.from({ length: 10 }, () => call('/auth/v1/signup', { method: 'POST', body }));
    });
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 422)]);
  });

  it('forbids caches to store responses, except the public keys', async () => {
    const keys = await call('/auth/v1/.well-known/jwks.json', { headers: { apikey: '' } });
    expect(keys.status).toBe(200);
    expect(keys.headers.get('cache-control')).toBe('public, max-age=600');
    expect(keys.text).not.toContain('"d"');
    const { headers } = await call('/auth/v1/settings');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('describes itself to clients', async () => {
    expect((await call('/auth/v1/settings')).json).toMatchObject({ external: { email: true } });
    expect((await call('/auth/v1/health')).json).toMatchObject({ name: 'GoTrue' });
  });

  it('signs in any number of times at the same time with the right password', async () => {
    const { email, password: right } = await newPractice();
    const attempts = Array.from({ length: 15 }, () => patient(() => token({ email, password: right })));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses).toEqual(Array<number>(15).fill(200));
  });

  it('locks an account, existing or not, for an address that fails ten times, even at the same time', async () => {
    for (const isKnown of [true, false]) {
      let email = '';
      const statuses = await inTime(async () => {
        email = isKnown ? (await newPractice()).email : newEmail();
        return Array.from({ length: 25 }, () => token({ email, password: 'not this one' }));
      });
      expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(15).fill(429)]);
      const locked = await token({ email, password });
      expect(locked.status).toBe(429);
      expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(locked.json).toMatchObject({ error_code: 'over_request_rate_limit' });
    }
  });
});
