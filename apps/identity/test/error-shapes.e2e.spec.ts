// The errors of the auth API, in both shapes that callers read.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, stack, type Practice } from '@practice/testing';

const password = 'correct horse battery';
const email = `unknown-${randomUUID()}@example.com`;
let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

interface Asked {
  /** Method and path below `/auth/v1/`. */
  readonly call: string;
  readonly body?: unknown;
  readonly bearer?: string;
}

type Row = readonly [status: number, code: string, message: string, asked: () => Asked];

const signUp = (body: unknown): Asked => ({ call: 'POST signup', body });
const token = (grant: string, body: unknown): Asked => ({ call: `POST token?grant_type=${grant}`, body });
const invalidJwt = 'invalid JWT: unable to parse or verify signature, ';

const rows: Row[] = [
  [400, 'invalid_credentials', 'Invalid login credentials', () => token('password', { email, password })],
  [400, 'invalid_credentials', 'unsupported_grant_type', () => token('implicit', {})],
  [400, 'invalid_credentials', 'unsupported_grant_type', () => ({ call: 'POST token', body: {} })],
  [400, 'validation_failed', 'missing email or phone', () => token('password', { password })],
  [422, 'user_already_exists', 'User already registered', () => signUp({ email: practice.email, password })],
  [400, 'validation_failed', 'Signup requires a valid password', () => signUp({ email })],
  [
    400,
    'validation_failed',
    'Unable to validate email address: invalid format',
    () => signUp({ email: 'no-address', password }),
  ],
  [
    400,
    'validation_failed',
    'Password cannot be longer than 72 characters',
    () => signUp({ email, password: 'x'.repeat(73) }),
  ],
  [422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled', () => signUp({ data: {} })],
  [413, 'PM413', 'The body is larger than 64 KiB', () => signUp({ data: 'x'.repeat(65_536) })],
  [
    400,
    'bad_json',
    'Could not parse request body as JSON: invalid JSON',
    () => token('password', '{"email"'),
  ],
  [
    400,
    'refresh_token_not_found',
    'Invalid Refresh Token: Refresh Token Not Found',
    () => token('refresh_token', { refresh_token: 'a1b2c3d4e5f6' }),
  ],
  [
    400,
    'validation_failed',
    'Refresh token is not valid',
    () => token('refresh_token', { refresh_token: 'malformed' }),
  ],
  [
    401,
    'no_authorization',
    'This endpoint requires a valid Bearer token',
    () => ({ call: 'GET user', bearer: '' }),
  ],
  [403, 'bad_jwt', `${invalidJwt}Expected 3 parts in JWT; got 1`, () => ({ call: 'GET user', bearer: 'x' })],
  [
    403,
    'bad_jwt',
    `${invalidJwt}No suitable key or wrong key type`,
    () => ({ call: 'GET user', bearer: `${practice.token.slice(0, -8)}AAAAAAAA` }),
  ],
  [403, 'bad_jwt', 'invalid claim: missing sub claim', () => ({ call: 'GET user', bearer: stack().apikey })],
  [
    422,
    'same_password',
    'New password should be different from the old password.',
    () => ({ call: 'PUT user', bearer: practice.token, body: { password: practice.password } }),
  ],
  [
    400,
    'validation_failed',
    'Unsupported logout scope "x"',
    () => ({ call: 'POST logout?scope=x', bearer: practice.token }),
  ],
  [
    403,
    'otp_expired',
    'Email link is invalid or has expired',
    () => ({
      call: 'POST verify',
      body: { type: 'recovery', token_hash: 'x' },
    }),
  ],
  [405, 'method_not_allowed', 'Unsupported HTTP method: GET', () => ({ call: 'GET signup' })],
  [
    404,
    'token_not_found',
    'Personal access token not found',
    () => ({
      call: 'DELETE tokens/x',
      bearer: practice.token,
    }),
  ],
];

async function ask({ call: what, body, bearer = '' }: Asked, version?: string) {
  const [method = '', path = ''] = what.split(' ');
  return call(`/auth/v1/${path}`, {
    method,
    body,
    headers: {
      ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      ...(version === undefined ? {} : { 'x-supabase-api-version': version }),
    },
  });
}

describe('a refusal', () => {
  it.each(rows)('%i %s: %s', async (status, code, message, asked) => {
    const older = await ask(asked());
    expect([older.status, older.json]).toEqual([
      status,
      { code: status, error_code: code, msg: message, message },
    ]);
    expect(older.headers.get('x-supabase-api-version')).toBeNull();
    const named = await ask(asked(), '2024-01-01');
    expect([named.status, named.json]).toEqual([status, { code, message }]);
    expect(named.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    for (const { headers } of [older, named]) {
      expect(headers.get('x-sb-error-code')).toBe(code);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('of a weak password contains the reasons', async () => {
    for (const [weak, reason] of [
      ['short', 'length'],
      ['password1', 'pwned'],
    ]) {
      const named = await ask(signUp({ email, password: weak }), '2024-01-01');
      expect(named.status).toBe(422);
      expect(named.json).toMatchObject({ code: 'weak_password', weak_password: { reasons: [reason] } });
    }
  });

  it('of a method lists the allowed methods', async () => {
    const allowed = async (what: string) => (await ask({ call: what })).headers.get('allow');
    expect(await allowed('DELETE verify')).toBe('OPTIONS,POST,GET,HEAD');
    expect(await allowed('PATCH user')).toBe('OPTIONS,GET,HEAD,PUT');
    expect(await allowed('PUT tokens/1')).toBe('OPTIONS,DELETE');
    expect(await allowed('GET tokens/1/2')).toBeNull();
  });

  it('of a missing refresh token has the fields of OAuth too', async () => {
    const answer = await ask(token('refresh_token', {}), '2024-01-01');
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        ...{ error: 'invalid_request', error_description: 'refresh_token required' },
        ...{ code: 'invalid_request', message: 'refresh_token required' },
      },
    ]);
  });
});

describe('a successful response', () => {
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it('has the shapes of session and user that clients read', async () => {
    const answer = await ask(token('password', { email: practice.email, password: practice.password }));
    const { therapistId: id } = practice;
    const times = { last_sign_in_at: time, created_at: time, updated_at: time };
    const user = {
      ...{ id, aud: 'authenticated', role: 'authenticated', email: practice.email, phone: '' },
      ...{ email_confirmed_at: time, confirmed_at: time, ...times },
      ...{ app_metadata: { provider: 'email', providers: ['email'] }, user_metadata: {} },
      identities: [
        {
          ...{ identity_id: id, id, user_id: id, provider: 'email', email: practice.email, ...times },
          identity_data: { email: practice.email, email_verified: false, phone_verified: false, sub: id },
        },
      ],
      is_anonymous: false,
    };
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: expect.any(Number),
      refresh_token: expect.stringMatching(/^[\w-]{32}$/),
      user,
    });
    const { access_token: access, expires_at } = answer.json as { access_token: string; expires_at: number };
    const claims = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toEqual({
      iss: `${stack().baseUrl}/auth/v1`,
      ...{ sub: id, aud: 'authenticated', role: 'authenticated', exp: expires_at, iat: expires_at - 3600 },
      ...{ email: practice.email, phone: '', app_metadata: user.app_metadata, user_metadata: {} },
      ...{ aal: 'aal1', amr: [{ method: 'password', timestamp: expect.any(Number) }], is_anonymous: false },
      ...{ therapist_id: id, role_in_practice: 'owner' },
      session_id: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect((await ask({ call: 'GET user', bearer: access })).json).toEqual(user);
  });

  it('has only public keys in the key set, for ten minutes', async () => {
    const { json, headers } = await ask({ call: 'GET .well-known/jwks.json' });
    expect(headers.get('cache-control')).toBe('public, max-age=600');
    for (const key of (json as { keys: object[] }).keys)
      expect(key).toEqual({
        ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' },
        kid: expect.any(String),
        x: expect.any(String),
        y: expect.any(String),
      });
  });
});
