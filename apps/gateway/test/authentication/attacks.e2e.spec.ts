// Forged tokens and cross-site requests, on a gateway that accepts another issuer and pages of one other origin.

import { createPublicKey, generateKeyPairSync, randomUUID, type JsonWebKey } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, stack, type Practice } from '@practice/testing';
import jwt from 'jsonwebtoken';

const issuer = 'https://id.example.com';
const friend = 'https://app.example.com';
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const mallory = generateKeyPairSync('rsa', { modulusLength: 2048 });
const now = Math.floor(Date.now() / 1000);

let practice: Practice;
let jwks: Server;
let gateway: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
let claims: object;
beforeAll(async () => {
  practice = await newPractice();
  claims = {
    ...{ iss: issuer, sub: practice.therapistId, role: 'authenticated', aud: 'authenticated' },
    ...{ iat: now, exp: now + 600 },
  };
  jwks = createServer((_request, response) => {
    const key = { ...theirs.publicKey.export({ format: 'jwk' }), kid: 'theirs', alg: 'RS256' };
    response.end(JSON.stringify({ keys: [key] }));
  });
  await new Promise<void>((listening) => jwks.listen(0, '127.0.0.1', listening));
  gateway = await stack().spawnProcess('gateway', {
    JWT_SECRET: 'a secret that another issuer of tokens knows',
    JWT_JWKS_URL: `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/keys`,
    JWT_ISSUER: issuer,
    CORS_ORIGINS: friend,
  });
});
afterAll(async () => {
  await gateway.stop();
  jwks.close();
});

describe('a forged token', () => {
  const raw = (header: object): string => {
    const signed = jwt.sign(claims, 'x').split('.');
    const head = Buffer.from(JSON.stringify(header)).toString('base64url');
    return [head, signed[1], signed[2]].join('.');
  };
  const byMallory = (header: object): string =>
    jwt.sign(claims, mallory.privateKey, { algorithm: 'RS256', header: { alg: 'RS256', ...header } });
  const publicJwk = async (): Promise<JsonWebKey> =>
    ((await call('/auth/v1/.well-known/jwks.json')).json as { keys: JsonWebKey[] }).keys[0] ?? {};
  const withPublicKey = async (form: (jwk: JsonWebKey) => string): Promise<string> => {
    const jwk = await publicJwk();
    const header = { alg: 'HS256' as const, kid: String(jwk['kid']) };
    return jwt.sign(claims, form(jwk), { algorithm: 'HS256', header });
  };
  const pem = (jwk: JsonWebKey): string =>
    createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();

  it.each<[string, () => string | Promise<string>]>([
    ['HS256 with our public key as PEM', () => withPublicKey(pem)],
    ['HS256 with our public key as JWK', () => withPublicKey((jwk) => JSON.stringify(jwk))],
    [
      'HS256 with the public key of the other issuer',
      () =>
        jwt.sign(claims, theirs.publicKey.export({ type: 'spki', format: 'pem' }).toString(), {
          algorithm: 'HS256',
          header: { alg: 'HS256', kid: 'theirs' },
        }),
    ],
    ['HS256 with the empty secret', () => raw({ alg: 'HS256' })],
    ['no algorithm', () => raw({})],
    ['none', () => raw({ alg: 'none' })],
    ['none in other letters', () => raw({ alg: 'nOnE' })],
    ['a list of algorithms', () => raw({ alg: ['HS256'] })],
    ['another algorithm of the family', () => raw({ alg: 'HS512' })],
    ['a kid that leads to a file', () => byMallory({ kid: '../../../../dev/null' })],
    ['a kid that is SQL', () => byMallory({ kid: "' UNION SELECT 'x" })],
    ['a kid that is a member of every object', () => byMallory({ kid: '__proto__' })],
    ['a kid that is no text', () => raw({ alg: 'RS256', kid: { $ne: '' } })],
    ['the kid of the other issuer', () => byMallory({ kid: 'theirs' })],
    [
      'a key in its own header',
      () => byMallory({ kid: 'x', jwk: mallory.publicKey.export({ format: 'jwk' }) }),
    ],
    ['the URL of keys in its own header', () => byMallory({ kid: 'x', jku: 'http://127.0.0.1:1/keys' })],
    [
      'the URL of a certificate in its own header',
      () => byMallory({ kid: 'x', x5u: 'http://127.0.0.1:1/x' }),
    ],
  ])('with %s is refused', async (_what, token) => {
    const headers = { authorization: `Bearer ${await token()}` };
    for (const path of ['/rest/v1/clients', '/rest/v1/rpc/current_identity'])
      expect(await call(path, { headers, origin: gateway.origin })).toMatchObject({
        status: 401,
        json: { code: 'PGRST301' },
      });
  });

  it('of another issuer reaches no function that needs a session', async () => {
    const token = jwt.sign(claims, theirs.privateKey, { algorithm: 'RS256', keyid: 'theirs' });
    const headers = { authorization: `Bearer ${token}` };
    const rpc = (name: string, body: object = {}) =>
      call(`/rest/v1/rpc/${name}`, { method: 'POST', body, headers, origin: gateway.origin });
    expect((await call('/rest/v1/clients', { headers, origin: gateway.origin })).status).toBe(200);
    const calls: [string, object?][] = [
      ...[
        ['leave_practice'],
        ['open_practice'],
        ['my_practices'],
        ['create_recovery_codes'],
        ['open_sessions'],
      ],
      ['switch_practice', { therapist_id: practice.therapistId }],
      ['reset_factors', { user_id: randomUUID() }],
      ['accept_invitation', { token: 'x' }],
      ['end_session', { session_id: randomUUID() }],
      ['close_practice', { name: 'My practice' }],
    ] as [string, object?][];
    for (const [name, body] of calls)
      expect([name, await rpc(name, body)]).toMatchObject([name, { status: 403, json: { code: '42501' } }]);
  });
});

describe('a page of another site, with the cookies of a session', () => {
  let cookie: string;
  beforeAll(async () => {
    const { email, password } = practice;
    const answer = await fetch(`${gateway.origin}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: stack().apikey, prefer: 'session=cookie', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
  });

  /** A request as a form or an image can send it: without custom headers, and with the key in the address. */
  const bySite = (
    method: string,
    path: string,
    { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: string } = {},
  ) =>
    fetch(`${gateway.origin}${path}${path.includes('?') ? '&' : '?'}apikey=${stack().apikey}`, {
      ...{ method, headers: { cookie, origin: 'https://evil.example', ...headers } },
      ...(body !== undefined && { body }),
    });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'changes nothing with a body of %s',
    async (type) => {
      for (const path of [
        '/rest/v1/clients',
        '/rest/v1/rpc/open_practice',
        '/auth/v1/logout',
        '/auth/v1/tokens',
      ])
        expect([
          path,
          (await bySite('POST', path, { headers: { 'content-type': type }, body: '{"name":"Eve"}' })).status,
        ]).toEqual([path, 401]);
      expect((await practice.rest('clients?select=name')).json).toEqual([]);
    },
  );

  it('changes nothing by GET, also with a method override', async () => {
    for (const override of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const asked = await bySite('GET', '/rest/v1/clients?name=eq.x', { headers: { [override]: 'DELETE' } });
      expect([override, asked.status]).toEqual([override, 200]);
      expect(
        (await bySite('POST', '/rest/v1/clients', { headers: { [override]: 'GET' }, body: '{"name":"Eve"}' }))
          .status,
      ).toBe(401);
    }
    expect((await bySite('GET', '/rest/v1/clients?_method=DELETE')).status).toBe(400);
    for (const name of ['open_practice', 'leave_practice', 'create_recovery_codes', 'export_practice'])
      expect([name, (await bySite('GET', `/rest/v1/rpc/${name}`)).status]).toEqual([name, 405]);
    expect((await bySite('GET', '/auth/v1/reauthenticate')).status).toBe(401);
    expect((await bySite('GET', '/auth/v1/logout')).status).toBe(405);
    expect((await practice.rest('clients?select=name')).json).toEqual([]);
  });

  it('may neither read responses nor send the key, but a page of a listed origin may', async () => {
    const preflight = (origin: string) =>
      fetch(`${gateway.origin}/rest/v1/clients`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'apikey',
        },
      });
    const allowed = async (answer: Promise<Response>): Promise<unknown> => {
      const { headers } = await answer;
      return ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));
    };
    for (const origin of [
      'https://evil.example',
      'null',
      `${friend}.evil.example`,
      'http://app.example.com',
    ]) {
      expect([origin, await allowed(preflight(origin))]).toEqual([origin, [null, null]]);
      expect(await allowed(bySite('GET', '/rest/v1/clients', { headers: { origin } }))).toEqual([null, null]);
    }
    expect(await allowed(preflight(friend))).toEqual([friend, 'true']);
    expect(await allowed(bySite('GET', '/rest/v1/clients', { headers: { origin: friend } }))).toEqual([
      friend,
      'true',
    ]);
  });
});
