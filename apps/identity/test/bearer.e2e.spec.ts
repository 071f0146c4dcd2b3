import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, type Practice, stack } from '@practice/testing';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { KeySeal } from '../src/keys/stored-keys.js';

let practice: Practice;
let key: { kid: string; privateKey: KeyObject };

beforeAll(async () => {
  practice = await newPractice();
  const client = new pg.Client({ connectionString: stack().adminDatabaseUrl });
  await client.connect();
  const kid = jwt.decode(practice.token, { complete: true })?.header.kid ?? '';
  const { rows } = await client.query<{ sealed: string }>(
    'SELECT sealed_private_key AS sealed FROM identity.signing_keys WHERE kid = $1',
    [kid],
  );
  await client.end();
  const secrets = JSON.parse(readFileSync(join(stack().dataDir, 'secrets.json'), 'utf8')) as {
    key_encryption_key: string;
  };
  const privateKey = new KeySeal(secrets.key_encryption_key).open(rows[0]?.sealed ?? '', kid);
  if (privateKey === undefined) throw new Error('the signing key cannot be opened');
  key = { kid, privateKey };
});

/** A token like that of the practice, except for these claims. */
function signed(changes: object, header: { kid?: string; crit?: string[]; typ?: string } = {}): string {
  const claims = { ...(jwt.decode(practice.token) as object), ...changes };
  return jwt.sign(claims, key.privateKey, {
    algorithm: 'ES256',
    header: { alg: 'ES256', kid: key.kid, ...header },
  });
}

const now = Math.floor(Date.now() / 1000);
const issuer = 'https://id.example.com';
const shared = 'a secret that another issuer of tokens knows';
const unsigned = (header: object, claims: object): string =>
  `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
const withToken = (token: string, path = '/rest/v1/appointments', origin?: string) =>
  call(path, { headers: { authorization: `Bearer ${token}` }, ...(origin === undefined ? {} : { origin }) });

describe('a bearer', () => {
  it('signed by identity is accepted, and so is another token for the same session', async () => {
    expect((await withToken(practice.token)).status).toBe(200);
    expect((await withToken(signed({}))).status).toBe(200);
  });

  it.each<[string, () => string, string]>([
    ['of no signature', () => unsigned({ alg: 'none' }, jwt.decode(practice.token) as object), 'PGRST301'],
    [
      'of another algorithm',
      () => jwt.sign({ sub: practice.therapistId }, shared, { algorithm: 'HS512' }),
      'PGRST301',
    ],
    ['of a secret that is not configured', () => jwt.sign({ sub: practice.therapistId }, shared), 'PGRST301'],
    [
      'signed with the public key as a secret',
      () => jwt.sign({ sub: 'x' }, JSON.stringify(key.kid)),
      'PGRST301',
    ],
    ['with a critical extension', () => signed({}, { crit: ['b64'] }), 'PGRST301'],
    ['with an empty list of critical extensions', () => signed({}, { crit: [] }), 'PGRST301'],
    ['of another type', () => signed({}, { typ: 'log-seal+jwt' }), 'PGRST301'],
    ['of an unknown key', () => signed({}, { kid: 'c0ffee' }), 'PGRST301'],
    ['that was tampered with', () => practice.token.replace(/\.[^.]{4}/, '.AAAA'), 'PGRST301'],
    ['whose signature was cut', () => practice.token.slice(0, -10), 'PGRST301'],
    ['in two parts', () => 'a.b', 'PGRST301'],
    ['that is nothing', () => 'a.b.c', 'PGRST301'],
    ['that has expired', () => signed({ exp: now - 60 }), 'PGRST303'],
    ['that is not valid yet', () => signed({ nbf: now + 120 }), 'PGRST303'],
    ['from the future', () => signed({ iat: now + 120 }), 'PGRST303'],
    ['for another audience', () => signed({ aud: 'anon' }), 'PGRST303'],
    ['for no audience', () => signed({ aud: undefined }), 'PGRST303'],
    ['of another role', () => signed({ role: 'service_role' }), 'PGRST303'],
    ['of no practice', () => signed({ sub: 'admin' }), 'PGRST303'],
    ['of a practice that has no id', () => signed({ therapist_id: 'admin' }), 'PGRST303'],
    ['of an unknown role in the practice', () => signed({ role_in_practice: 'admin' }), 'PGRST303'],
    ['of no session', () => signed({ session_id: undefined }), 'PGRST303'],
    ['given twice', () => `${practice.token}, Bearer ${practice.token}`, 'PGRST301'],
    ['that is the project’s key', () => stack().apikey, 'PGRST302'],
  ])('%s is refused', async (_what, token, code) => {
    const answer = await withToken(token());
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject({ code });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`);
  });

  it('is checked only for ended sessions: a token for a session that never existed is accepted until it expires', async () => {
    expect((await withToken(signed({ session_id: randomUUID() }))).status).toBe(200);
    expect((await withToken(signed({ session_id: randomUUID(), exp: now - 60 }))).status).toBe(401);
  });

  it('within the tolerance of clocks is accepted', async () => {
    const present = Math.floor(Date.now() / 1000);
    expect((await withToken(signed({ exp: present + 5 - 20 }))).status).toBe(200);
    expect((await withToken(signed({ iat: present + 10, nbf: present + 10 }))).status).toBe(200);
  });

  it('is refused by the auth API with its own codes', async () => {
    const user = (authorization?: string) =>
      call('/auth/v1/user', { headers: authorization === undefined ? {} : { authorization } });
    expect(await user()).toMatchObject({ status: 401, json: { error_code: 'no_authorization' } });
    expect(await user('Bearer a.b.c')).toMatchObject({ status: 403, json: { error_code: 'bad_jwt' } });
    expect(await user(`Bearer ${stack().apikey}`)).toMatchObject({
      status: 403,
      json: { error_code: 'bad_jwt', msg: 'invalid claim: missing sub claim' },
    });
    expect(await user(`Bearer ${signed({ exp: now - 60 })}`)).toMatchObject({ status: 403 });
  });

  it('of another issuer reaches records only, for a day at most', async () => {
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const namesake = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = createServer((_request, response) => {
      const published = { ...foreign.publicKey.export({ format: 'jwk' }), kid: 'theirs', alg: 'RS256' };
      const same = { ...namesake.publicKey.export({ format: 'jwk' }), kid: key.kid, alg: 'ES256' };
      response.end(JSON.stringify({ keys: [published, same] }));
    });
    await new Promise<void>((listening) => jwks.listen(0, '127.0.0.1', listening));
    const gateway = await stack().spawnProcess('gateway', {
      JWT_SECRET: shared,
      JWT_JWKS_URL: `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/keys`,
      JWT_ISSUER: issuer,
    });
    try {
      const claims = {
        ...{ iss: issuer, sub: practice.therapistId, role: 'authenticated', aud: 'authenticated' },
        ...{ iat: now, exp: now + 600 },
      };
      const hs = (changes: object, options: jwt.SignOptions = {}): string =>
        jwt.sign(JSON.parse(JSON.stringify({ ...claims, ...changes })) as object, shared, options);
      const rs = (keyid: string): string =>
        jwt.sign(claims, foreign.privateKey, { algorithm: 'RS256', keyid });
      const path = '/rest/v1/appointments';
      const status = async (token: string, of = path): Promise<number> =>
        (await withToken(token, of, gateway.origin)).status;
      expect([await status(hs({})), await status(rs('theirs'))]).toEqual([200, 200]);
      expect((await withToken(hs({}))).status).toBe(401);
      for (const [what, token] of [
        ['another secret', jwt.sign(claims, `${shared}!`)],
        ['another key', rs('unknown')],
        ['no end', hs({ exp: undefined })],
        ['no issuer', hs({ iss: undefined })],
        ['another issuer', hs({ iss: 'https://elsewhere.example' })],
        ['our issuer', hs({ iss: `${stack().baseUrl}/auth/v1` })],
        ['another audience', hs({ aud: 'anon' })],
        ['no time of issue', hs({}, { noTimestamp: true })],
        ['more than 24 hours', hs({ iat: now - 86_400 - 60, exp: now + 600 })],
      ] as const)
        expect([what, await status(token)]).toEqual([what, 401]);
      // Its key has the id of one of our keys. Its type differs from the types of our tokens.
      const header = { alg: 'ES256', kid: key.kid, typ: 'theirs' } as const;
      const session = { ...claims, session_id: randomUUID(), aal: 'aal2' };
      const es = jwt.sign(session, namesake.privateKey, { algorithm: 'ES256', header });
      for (const token of [hs({}), rs('theirs'), es]) {
        for (const [method, call_, body] of [
          ['GET', 'user'],
          ['PUT', 'user', { password: 'the choice of a thief' }],
          ['GET', 'tokens'],
          ['POST', 'tokens', { name: 'x' }],
          ['POST', 'factors', { factor_type: 'totp' }],
          ['GET', 'reauthenticate'],
          ['POST', 'logout'],
        ] as const)
          expect([
            call_,
            await call(`/auth/v1/${call_}`, {
              ...{ method, body, origin: gateway.origin },
              headers: { authorization: `Bearer ${token}` },
            }),
          ]).toMatchObject([call_, { status: 403, json: { error_code: 'no_authorization' } }]);
      }
      expect(await status(practice.token)).toBe(200);
      expect(await status(practice.token, '/auth/v1/user')).toBe(200);
      // The name of the actor is cut within a pair of surrogates.
      const headers = { authorization: `Bearer ${hs({ name: `${'a'.repeat(319)}😀` })}` };
      const write = { method: 'POST', body: { name: 'Ada Lovelace' }, headers, origin: gateway.origin };
      expect((await call('/rest/v1/clients', write)).status).toBe(201);
    } finally {
      await gateway.stop();
      jwks.close();
    }
  });
});

describe('the project’s key', () => {
  const path = '/rest/v1/appointments';
  const raw = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${stack().baseUrl}${path}${query}`, {
      headers: { authorization: `Bearer ${practice.token}`, ...headers },
    });

  const refused = { code: 'PM401', details: null };
  const missing = {
    ...refused,
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  };
  const wrong = {
    ...refused,
    message: 'Invalid API key',
    hint: 'Double check your Supabase `anon` or `service_role` API key.',
  };
  const twice = {
    ...refused,
    message: 'Duplicate API key found',
    hint: 'Send the API key once, in the `apikey` header.',
  };

  it('may be in the header or the query', async () => {
    expect((await raw('', { apikey: stack().apikey })).status).toBe(200);
    expect((await raw(`?apikey=${stack().apikey}&select=id`)).status).toBe(200);
  });

  it.each<[string, () => Promise<Response>, object]>([
    ['missing', () => raw(''), missing],
    ['empty', () => raw('?apikey='), missing],
    ['wrong', () => raw('', { apikey: 'x' }), wrong],
    ['wrong in the query', () => raw('?apikey=x'), wrong],
    ['there twice', () => raw('', { apikey: `${stack().apikey}, ${stack().apikey}` }), twice],
    ['twice in the query', () => raw(`?apikey=${stack().apikey}&apikey=x`), twice],
  ])('must not be %s', async (_what, ask, body) => {
    const answer = await ask();
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual(body);
  });

  it('is checked before the token', async () => {
    const answer = await call(path, { headers: { apikey: 'x', authorization: 'Bearer a.b.c' } });
    expect(answer.json).toMatchObject({ message: 'Invalid API key' });
  });

  it('is also required by the auth API', async () => {
    const { message, hint } = wrong;
    expect(await call('/auth/v1/settings', { headers: { apikey: '' } })).toMatchObject({
      status: 401,
      json: { code: 401, error_code: 'PM401', msg: missing.message, message: missing.message },
    });
    const headers = { apikey: 'x', 'x-supabase-api-version': '2024-01-01' };
    expect(await call('/auth/v1/signup', { method: 'POST', body: {}, headers })).toMatchObject({
      status: 401,
      json: { code: 'PM401', message, hint },
    });
  });
});
