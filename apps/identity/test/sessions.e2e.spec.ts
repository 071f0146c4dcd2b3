import { afterAll, describe, expect, it } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { CrossTenantConnection } from '@practice/storage';
import { adminDatabase, auth, call, eventually, newPractice, stack } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { tokenHash } from '../src/store/secrets.js';
import { oldSessions } from '../src/store/sweeps.js';
import { codeOf, enrolled, signedIn } from './mfa-accounts.js';

interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
}

const admin = adminDatabase();
const relay = new CrossTenantConnection('identity', stack().databaseUrl('identity_relay'), () => undefined);
afterAll(() => relay.close());

const HALF_DAY = 43_200;
const limits = { idleSeconds: HALF_DAY, maxSeconds: 60 * HALF_DAY, recentSeconds: 600 };
const sweep = async (): Promise<void> => {
  for (const { statement } of oldSessions(limits)) await relay.run(statement);
};

const post = (path: string, body: unknown): Promise<Answer> =>
  call(`/auth/v1/${path}`, { method: 'POST', body });
const refresh = (refreshToken: string): Promise<Answer> =>
  post('token?grant_type=refresh_token', { refresh_token: refreshToken });
const reads = async (token: string, origin?: string): Promise<number> => {
  const given = origin === undefined ? {} : { origin };
  return (await call('/rest/v1/appointments', { headers: { authorization: `Bearer ${token}` }, ...given }))
    .status;
};
const signOut = (token: string, scope: string): Promise<Answer> =>
  call(`/auth/v1/logout?scope=${scope}`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });

/** Makes the used refresh tokens of a practice older than the time within which two tabs may send the same token. */
const age = ({ therapistId }: Practice): Promise<unknown> =>
  admin.query(
    `UPDATE identity.refresh_tokens SET used_at = used_at - interval '11 seconds' WHERE user_id = $1`,
    [therapistId],
  );

const kept = async ({ therapistId }: Practice): Promise<unknown> =>
  (
    await admin.query(
      `SELECT (SELECT count(*)::int FROM identity.sessions WHERE user_id = $1) AS sessions,
         (SELECT count(*)::int FROM identity.refresh_tokens WHERE user_id = $1) AS tokens`,
      [therapistId],
    )
  ).rows[0];

async function signIn({ email, password }: Practice): Promise<Session> {
  return (await post('token?grant_type=password', { email, password })).json as Session;
}

describe('sessions that have ended', () => {
  it('are deleted with their refresh tokens 30 days after they ended, without a sign-in', async () => {
    const practice = await newPractice();
    await refresh((await signIn(practice)).refresh_token);
    const { refresh_token: recent } = await signIn(practice);
    expect(await kept(practice)).toEqual({ sessions: 3, tokens: 4 });
    const refreshed = (ago: string): Promise<unknown> =>
      admin.query(
        `UPDATE identity.sessions SET refreshed_at = now() - $3::interval WHERE user_id = $1
           AND id <> (SELECT session_id FROM identity.refresh_tokens WHERE token_hash = $2)`,
        [practice.therapistId, tokenHash(recent), ago],
      );
    await refreshed('30 days');
    await sweep();
    expect(await kept(practice)).toEqual({ sessions: 3, tokens: 4 });
    await refreshed('31 days');
    await sweep();
    expect(await kept(practice)).toEqual({ sessions: 1, tokens: 1 });
    expect((await refresh(recent)).status).toBe(200);
  });
});

describe('a password hash', () => {
  it('with outdated parameters is renewed at the next sign-in, but not by a wrong password', async () => {
    const practice = await newPractice();
    const { therapistId, password } = practice;
    const old = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    const where = 'identity.credentials';
    await admin.query(`UPDATE ${where} SET password_hash = $2 WHERE user_id = $1`, [therapistId, old]);
    const stored = async (): Promise<string> => {
      const query = `SELECT password_hash AS hash FROM ${where} WHERE user_id = $1`;
      return (await admin.query<{ hash: string }>(query, [therapistId])).rows[0]?.hash ?? '';
    };
    await signIn({ ...practice, password: 'a wrong password' });
    expect(await stored()).toBe(old);
    expect(await signIn(practice)).toHaveProperty('access_token');
    const renewed = await stored();
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await signIn(practice)).toHaveProperty('access_token');
    expect(await stored()).toBe(renewed);
  });
});

describe('a refresh token', () => {
  it('is used once, and its successor continues the session', async () => {
    const first = await signIn(await newPractice());
    const second = (await refresh(first.refresh_token)).json as Session;
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('can be used several times at the same time, as from several tabs', async () => {
    const first = await signIn(await newPractice());
    const answers = await Promise.all([1, 2, 3].map(() => refresh(first.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const next = new Set(answers.map(({ json }) => (json as Session).refresh_token));
    expect([next.size, next.has(first.refresh_token)]).toEqual([1, false]);
  });

  it('that a thief uses within that time starts no second session', async () => {
    const practice = await newPractice();
    const first = await signIn(practice);
    const [owners, thiefs] = [await refresh(first.refresh_token), await refresh(first.refresh_token)];
    const further = await refresh((thiefs.json as Session).refresh_token);
    await age(practice);
    expect((await refresh((owners.json as Session).refresh_token)).status).toBe(400);
    expect(await reads((further.json as Session).access_token)).toBe(401);
  });

  it('that is used again later ends its session', async () => {
    const practice = await newPractice();
    const first = await signIn(practice);
    const second = (await refresh(first.refresh_token)).json as Session;
    expect(await reads(second.access_token)).toBe(200);
    await age(practice);
    for (let time = 0; time < 2; time += 1)
      expect(await refresh(first.refresh_token)).toMatchObject({
        status: 400,
        json: { error_code: 'refresh_token_already_used' },
      });
    expect(await reads(second.access_token)).toBe(401);
    expect(await refresh(second.refresh_token)).toMatchObject({
      status: 400,
      json: { error_code: 'refresh_token_not_found' },
    });
    expect(await reads(practice.token)).toBe(200);
  });

  it('from before the second factor does not continue the session after it, even if it was just used', async () => {
    const { email, factorId, secret } = await enrolled();
    const { auth: client } = await signedIn(email);
    const first = (await client.getSession()).data.session?.refresh_token ?? '';
    expect((await client.refreshSession()).error).toBeNull();
    expect((await client.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })).error).toBeNull();
    expect(await refresh(first)).toMatchObject({
      status: 400,
      json: { error_code: 'refresh_token_already_used' },
    });
  });

  it('is stored as a hash', async () => {
    const { refresh_token: token } = await signIn(await newPractice());
    const { rows } = await admin.query('SELECT 1 FROM identity.refresh_tokens t WHERE t::text LIKE $1', [
      `%${token}%`,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('signing out', () => {
  it('ends this session, all others, or all', async () => {
    const practice = await newPractice();
    const [a, b, c] = [await signIn(practice), await signIn(practice), await signIn(practice)];
    const open = () => Promise.all([a, b, c].map(({ access_token: token }) => reads(token)));
    expect(await open()).toEqual([200, 200, 200]);
    expect(await signOut(a.access_token, 'local')).toMatchObject({ status: 204, text: '' });
    expect(await open()).toEqual([401, 200, 200]);
    expect((await signOut(b.access_token, 'others')).status).toBe(204);
    expect(await open()).toEqual([401, 200, 401]);
    expect((await signOut(b.access_token, 'global')).status).toBe(204);
    expect(await open()).toEqual([401, 401, 401]);
    expect(await signOut(b.access_token, 'global')).toMatchObject({
      status: 403,
      json: { error_code: 'session_not_found' },
    });
  });

  it('is deleted after a month', async () => {
    const practice = await newPractice();
    const [old, recent] = [await signIn(practice), await signIn(practice)];
    for (const { access_token: token } of [old, recent]) await signOut(token, 'local');
    const { session_id: id } = jwt.decode(old.access_token) as { session_id: string };
    await admin.query(
      `UPDATE identity.sessions SET (refreshed_at, ended_at) =
         (refreshed_at - interval '31 days', ended_at - interval '31 days') WHERE id = $1`,
      [id],
    );
    await sweep();
    const { rows } = await admin.query(
      `SELECT count(DISTINCT s.id)::int AS sessions, count(t)::int AS tokens FROM identity.sessions s
       JOIN identity.refresh_tokens t ON t.session_id = s.id WHERE s.user_id = $1`,
      [practice.therapistId],
    );
    expect(rows).toEqual([{ sessions: 2, tokens: 2 }]);
    expect(
      (await admin.query('SELECT 1 FROM identity.refresh_tokens WHERE session_id = $1', [id])).rows,
    ).toEqual([]);
  });

  it('refuses an unknown scope', async () => {
    const { access_token: token } = await signIn(await newPractice());
    expect(await signOut(token, 'everyone')).toMatchObject({
      status: 400,
      json: { error_code: 'validation_failed' },
    });
    expect(await reads(token)).toBe(200);
  });

  it('is known to every gateway, even to a gateway that had verified the token', async () => {
    const other = await stack().spawnProcess('gateway');
    try {
      const { access_token: token } = await signIn(await newPractice());
      expect(await reads(token, other.origin)).toBe(200);
      await signOut(token, 'local');
      await eventually(
        'the other gateway refuses it',
        async () => (await reads(token, other.origin)) === 401,
      );
    } finally {
      await other.stop();
    }
  });
});

describe('the tables of accounts', () => {
  /** The number of rows that the request role sees with these settings. */
  async function visible(table: string, settings: Record<string, string>): Promise<number> {
    const client = new pg.Client({ connectionString: stack().databaseUrl('identity') });
    await client.connect();
    try {
      await client.query('BEGIN');
      for (const [name, value] of Object.entries(settings))
        await client.query('SELECT set_config($1, $2, true)', [name, value]);
      return (await client.query(`SELECT 1 FROM identity.${table}`)).rowCount ?? 0;
    } finally {
      await client.end();
    }
  }

  it('show nothing to a statement without a user or a practice', async () => {
    const { token } = await newPractice();
    expect((await auth('POST', 'tokens', { token, body: { name: 'x' } })).status).toBe(201);
    for (const table of [
      ...['credentials', 'sessions', 'refresh_tokens', 'mailed_tokens', 'personal_tokens'],
      ...['mfa_factors', 'mfa_challenges', 'recovery_codes', 'passkeys', 'passkey_challenges'],
      ...['pending_sign_ups', 'address_changes'],
      ...['users', 'practices'],
      ...['events', 'practice_head'],
    ])
      expect([table, await visible(table, {})]).toEqual([table, 0]);
  });

  it('show one account to a caller that presents its address, and a user or practice only its own rows', async () => {
    const { therapistId, email } = await newPractice();
    expect(await visible('credentials', { 'app.presented': email })).toBe(1);
    expect(await visible('sessions', { 'app.presented': email })).toBe(0);
    const { token } = await newPractice();
    const made = await auth('POST', 'tokens', { token, body: { name: 'x' } });
    const presented = tokenHash((made.json as { token: string }).token);
    expect(await visible('personal_tokens', { 'app.presented': presented })).toBe(1);
    expect(await visible('credentials', { 'app.presented': presented })).toBe(0);
    const rows = {
      credentials: 'user',
      sessions: 'user',
      refresh_tokens: 'user',
      users: 'practice',
      practices: 'practice',
    };
    for (const [table, owner] of Object.entries(rows)) {
      const isOfUser = owner === 'user';
      expect([table, await visible(table, { 'app.user_id': therapistId })]).toEqual([
        table,
        isOfUser ? 1 : 0,
      ]);
      const inPractice = { 'app.therapist_id': therapistId, 'app.reader': 'system' };
      expect([table, await visible(table, inPractice)]).toEqual([table, isOfUser ? 0 : 1]);
    }
  });

  it('do not let the request role change or remove an event or a key', async () => {
    const client = new pg.Client({ connectionString: stack().databaseUrl('identity') });
    await client.connect();
    for (const statement of [
      "UPDATE identity.events SET type = 'x'",
      'DELETE FROM identity.events',
      'TRUNCATE identity.events',
      'UPDATE identity.personal_tokens SET scopes = NULL',
      'UPDATE identity.signing_keys SET signs_from = now()',
      'DELETE FROM identity.signing_keys',
      'SELECT 1 FROM scheduling.events',
    ])
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    // The erasure of a practice deletes each account as its user. Without a user, a statement sees no row.
    expect(await client.query('DELETE FROM identity.credentials')).toMatchObject({ rowCount: 0 });
    await client.end();
  });

  it('contain the opening of a practice as the first event of its log, without a secret', async () => {
    const { therapistId, email } = await newPractice();
    const { rows } = await admin.query(
      `SELECT position::int, aggregate, stream_id, version, type, data, metadata FROM identity.events WHERE therapist_id = $1 ORDER BY position`,
      [therapistId],
    );
    const fact = { stream_id: therapistId, version: 1 };
    expect(rows).toMatchObject([
      { position: 1, aggregate: 'practice', ...fact, type: 'PracticeOpened', data: { email } },
      {
        position: 2,
        aggregate: 'membership',
        version: 1,
        type: 'MembershipCreated',
        data: { role: 'owner' },
      },
      { position: 3, aggregate: 'user', ...fact, type: 'UserRegistered', data: { email, metadata: {} } },
      {
        position: 4,
        aggregate: 'security_event',
        version: 1,
        type: 'SecurityEventRecorded',
        data: { kind: 'signed_in', user_id: therapistId },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain('argon2');
  });

  it('pass the opening on to the bus', async () => {
    const { therapistId } = await newPractice();
    const queued = async () =>
      (await admin.query('SELECT 1 FROM identity.outbox WHERE therapist_id = $1', [therapistId])).rowCount;
    await eventually('the outbox is empty', async () => (await queued()) === 0);
  });
});
