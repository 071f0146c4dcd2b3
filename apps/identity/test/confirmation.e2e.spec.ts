// Addresses that are confirmed by mail: sign-ups, and accounts from before addresses were confirmed.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  auth as authAt,
  call,
  ownStack,
  readStatus as readStatusAt,
  stack,
  patientFetch,
} from '@practice/testing';
import type { Answer, OwnStack, Practice, Session } from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import pg from 'pg';
import { WebSocket } from 'ws';
import { confirmedPractice, openMailbox, tokenIn, type Mailbox } from './mailbox.js';

const CONFIRM = 'Confirm your address';
const KNOWN = 'You have an account already';
let mailbox: Mailbox;
let own: OwnStack;
let origin: string;
let admin: pg.Client;
beforeAll(async () => {
  [mailbox, own] = await Promise.all([openMailbox(), ownStack()]);
  const settings = { SMTP_URL: mailbox.url, SITE_URL: 'https://app.example.com/', MAIL_TO_LOG: 'no' };
  const [gateway] = await Promise.all([
    own.start('gateway'),
    own.start('identity', settings),
    own.start('scheduling'),
  ]);
  origin = gateway.origin;
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await own.stop();
  await mailbox.close();
});

const newEmail = (): string => `owner-${randomUUID()}@example.com`;
const auth = (method: string, path: string, given: Parameters<typeof authAt>[2] = {}): Promise<Answer> =>
  authAt(method, path, { origin, ...given });
const signUp = (email: string, password = 'correct horse battery', more: object = {}): Promise<Answer> =>
  auth('POST', 'signup', { body: { email, password, ...more } });
const signIn = (email: string, password = 'correct horse battery'): Promise<Answer> =>
  auth('POST', 'token?grant_type=password', { body: { email, password } });
const verify = (type: string, token_hash: string): Promise<Answer> =>
  auth('POST', 'verify', { body: { type, token_hash } });

const pkceClient = (): SupabaseClient =>
  createClient(origin, stack().apikey, {
    global: { fetch: patientFetch },
    auth: { persistSession: false, autoRefreshToken: false, flowType: 'pkce' },
    realtime: { transport: WebSocket as never },
  });

/** The code in the address that the mailed link leads to. */
async function codeMailedTo(email: string): Promise<string> {
  const { text } = await mailbox.letterTo(email, CONFIRM);
  const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
  const { headers } = await fetch(new URL(link.pathname + link.search, origin), { redirect: 'manual' });
  const led = new URL(headers.get('location') ?? '');
  expect([led.origin, led.hash]).toEqual(['https://app.example.com', '']);
  return led.searchParams.get('code') ?? '';
}

/** Adds an authenticator app, and verifies its first code. */
async function addFactor(token: string): Promise<void> {
  const enrolled = await auth('POST', 'factors', { token, body: { factor_type: 'totp' } });
  const { id, totp } = enrolled.json as { id: string; totp: { secret: string } };
  const challenge = await auth('POST', `factors/${id}/challenge`, { token });
  const { id: challenge_id } = challenge.json as { id: string };
  const body = { challenge_id, code: new TOTP({ secret: totp.secret }).generate() };
  expect((await auth('POST', `factors/${id}/verify`, { token, body })).status).toBe(200);
}

/** The security events of a practice. */
const kindsOf = async (therapistId: string): Promise<string[]> =>
  (
    await admin.query<{ kind: string }>(
      'SELECT kind FROM identity.security_events WHERE therapist_id = $1 ORDER BY created_at, id',
      [therapistId],
    )
  ).rows.map(({ kind }) => kind);

/** The names of a body's members, and the names of their members. */
const shape = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shape(member)]))
    : typeof value;

describe('a sign-up', () => {
  it('becomes an account when its mail is answered', async () => {
    const email = newEmail();
    const asked = await signUp(email, undefined, { data: { name: 'Dana' } });
    expect([asked.status, asked.json]).toMatchObject([
      200,
      { email, user_metadata: { name: 'Dana' }, confirmation_sent_at: expect.stringMatching(/Z$/) },
    ]);
    expect(asked.text).not.toMatch(/access_token|refresh_token|confirmed_at/);
    expect((await signIn(email)).status).toBe(400);
    const token = await tokenIn(mailbox, email, CONFIRM);
    const answers = await Promise.all([1, 2, 3].map(() => verify('email', token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const session = answers.find(({ status }) => status === 200)?.json as Session;
    expect(session.user).toMatchObject({
      id: (asked.json as { id: string }).id,
      email_confirmed_at: expect.stringMatching(/Z$/),
      user_metadata: { name: 'Dana' },
    });
    expect(await readStatusAt(session.access_token, origin)).toBe(200);
    expect(await kindsOf(session.user.id)).toEqual(['address_confirmed', 'signed_in']);
    expect((await signIn(email)).status).toBe(200);
  });

  it('is answered before the address is looked up, in the same way for an address with an account', async () => {
    const { email: before, therapistId, password } = await confirmedPractice(origin, mailbox);
    // An address that was not mailed within the last minute.
    const known = newEmail();
    await admin.query('UPDATE identity.credentials SET email = $1 WHERE user_id = $2', [known, therapistId]);
    await admin.query('BEGIN; LOCK TABLE identity.credentials IN ACCESS EXCLUSIVE MODE');
    const answers = [await signUp(known), await signUp(newEmail()), await signUp(before)];
    await admin.query('COMMIT');
    const [first, second] = answers.map(({ status, json }) => [status, shape(json)]);
    expect(first).toEqual(second);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    await mailbox.letterTo(known, KNOWN);
    expect(mailbox.letters.filter(({ to, text }) => to === known && text.includes(CONFIRM))).toEqual([]);
    expect((await signIn(known)).status).toBe(400);
    expect((await signIn(known, password)).status).toBe(200);
  });

  it('with the address of another person opens nothing: only the password of the confirmed sign-up is valid', async () => {
    const email = newEmail();
    const stranger = `later-${email}`;
    await signUp(stranger, 'the password of a stranger');
    const theirs = await tokenIn(mailbox, stranger, CONFIRM);
    // A second sign-up with the same address within a minute gets no mail, so the spec sets the address in the rows.
    await signUp(email, 'the password of the owner');
    const token = await tokenIn(mailbox, email, CONFIRM);
    await admin.query('UPDATE identity.pending_sign_ups SET email = $1 WHERE email = $2', [email, stranger]);
    expect((await verify('signup', token)).status).toBe(200);
    expect((await verify('signup', theirs)).json).toMatchObject({ error_code: 'otp_expired' });
    expect((await signIn(email, 'the password of a stranger')).status).toBe(400);
    expect((await signIn(email, 'the password of the owner')).status).toBe(200);
    expect(
      (await admin.query('SELECT 1 FROM identity.pending_sign_ups WHERE email = $1', [email])).rowCount,
    ).toBe(0);
  });

  it('is mailed again on request, once a minute, and ends after a day', async () => {
    const email = newEmail();
    const resend = (address: string, type = 'signup') =>
      auth('POST', 'resend', { body: { type, email: address } });
    expect(await resend(newEmail())).toMatchObject({ status: 200, json: {} });
    await signUp(email);
    const first = await tokenIn(mailbox, email, CONFIRM);
    expect(await resend(email)).toMatchObject({
      status: 429,
      json: { error_code: 'over_email_send_rate_limit' },
    });
    const moved = newEmail();
    await admin.query('UPDATE identity.pending_sign_ups SET email = $1 WHERE email = $2', [moved, email]);
    expect((await resend(moved)).status).toBe(200);
    const second = await tokenIn(mailbox, moved, CONFIRM);
    expect((await verify('signup', first)).status).toBe(403);
    await admin.query(`UPDATE identity.pending_sign_ups SET expires_at = now() WHERE email = $1`, [moved]);
    expect((await verify('signup', second)).status).toBe(403);
  });

  it('is not mailed again if a stranger has signed up with the address too', async () => {
    const [email, single] = [newEmail(), newEmail()];
    const renamed = 'UPDATE identity.pending_sign_ups SET email = $1 WHERE email = $2';
    for (const one of ['owner', 'stranger', 'single']) await signUp(`${one}-${email}`);
    for (const one of ['owner', 'stranger', 'single']) await tokenIn(mailbox, `${one}-${email}`, CONFIRM);
    for (const one of ['owner', 'stranger']) await admin.query(renamed, [email, `${one}-${email}`]);
    await admin.query(renamed, [single, `single-${email}`]);
    for (const address of [email, single])
      expect((await auth('POST', 'resend', { body: { type: 'signup', email: address } })).status).toBe(200);
    // Mails are written in the order of the calls.
    await tokenIn(mailbox, single, CONFIRM);
    expect(mailbox.letters.filter(({ to }) => to === email)).toEqual([]);
  });

  it('by the real client needs its own browser if others could see the link (PKCE)', async () => {
    const [email, supabase] = [newEmail(), pkceClient()];
    const { data, error } = await supabase.auth.signUp({ email, password: 'correct horse battery' });
    expect([error, data.session, data.user?.email]).toEqual([null, null, email]);
    const exchanged = await supabase.auth.exchangeCodeForSession(await codeMailedTo(email));
    expect([exchanged.error, exchanged.data.user?.email]).toEqual([null, email]);
  });

  it('by the real client is mailed again with the challenge of the later call (PKCE)', async () => {
    const [email, moved, supabase] = [newEmail(), newEmail(), pkceClient()];
    await supabase.auth.signUp({ email, password: 'correct horse battery' });
    await tokenIn(mailbox, email, CONFIRM);
    // The same address would have to wait for a minute.
    await admin.query('UPDATE identity.pending_sign_ups SET email = $1 WHERE email = $2', [moved, email]);
    expect((await supabase.auth.resend({ type: 'signup', email: moved })).error).toBeNull();
    const exchanged = await supabase.auth.exchangeCodeForSession(await codeMailedTo(moved));
    expect([exchanged.error, exchanged.data.user?.email]).toEqual([null, moved]);
  });

  it('sets no cookies before the address is confirmed', async () => {
    const answer = await auth('POST', 'signup', {
      body: { email: newEmail(), password: 'correct horse battery' },
      headers: { prefer: 'session=cookie' },
    });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
  });

  it.each<[string, object]>([
    ['a text that cannot be stored', { data: { name: '\u0000' } }],
    ['half a character', { data: { name: '\ud800' } }],
    ['a common password', { password: 'password1' }],
    ['half a code challenge', { code_challenge: 'x'.repeat(43) }],
  ])('is refused with %s, and nothing is mailed', async (_what, more) => {
    const email = newEmail();
    const body = { email, password: 'correct horse battery', ...more };
    expect(Math.floor((await auth('POST', 'signup', { body })).status / 100)).toBe(4);
    expect((await signUp(email)).status).toBe(200);
  });
});

describe('an account whose address is not confirmed', () => {
  const unconfirmed = async (): Promise<Practice> => {
    const practice = await confirmedPractice(origin, mailbox);
    await admin.query('UPDATE identity.credentials SET confirmed_at = NULL WHERE user_id = $1', [
      practice.therapistId,
    ]);
    return practice;
  };
  const refused = { status: 403, json: { code: 'email_not_confirmed' } };

  it('makes no tokens and no invitations, and accepts none, until a mailed code is sent back', async () => {
    const [host, practice] = [await confirmedPractice(origin, mailbox), await unconfirmed()];
    const { token, email } = practice;
    const body = { email: newEmail(), role: 'billing' };
    const makeToken = () => auth('POST', 'tokens', { token, body: { name: 'nightly' } });
    const invite = () => practice.rest('memberships', { method: 'POST', body });
    const user = await auth('GET', 'user', { token });
    expect(user.json).not.toHaveProperty('email_confirmed_at');
    expect(await makeToken()).toMatchObject({ status: 403, json: { error_code: 'email_not_confirmed' } });
    expect(await invite()).toMatchObject(refused);
    expect((await practice.rest('memberships?select=email')).json).toEqual([{ email }]);
    await host.rest('memberships', { method: 'POST', body: { email, role: 'therapist' } });
    const { text } = await mailbox.letterTo(email, 'You are invited');
    const invitation = { token: /invitation=([\w-]{43})/.exec(text)?.[1] };
    const accept = () => practice.rest('rpc/accept_invitation', { method: 'POST', body: invitation });
    expect(await accept()).toMatchObject(refused);
    await auth('GET', 'reauthenticate', { token });
    const code = /\r\n(\d{6})\r\n/.exec((await mailbox.letterTo(email, 'Confirm that it is you')).text)?.[1];
    expect((await auth('PUT', 'user', { token, body: { nonce: code } })).json).toHaveProperty(
      'email_confirmed_at',
    );
    const after = [await makeToken(), await invite(), await accept()];
    expect(after.map(({ status }) => status)).toEqual([201, 201, 200]);
  });

  it('belongs to the person who recovers it: earlier passwords, factors, passkeys and sessions no longer open it', async () => {
    const { email, password, token, therapistId } = await unconfirmed();
    await addFactor(token);
    await admin.query(
      `INSERT INTO identity.passkeys (user_id, id, credential_id, public_key, counter, transports, created_at)
       VALUES ($1, $1, gen_random_uuid(), '', 0, '{}', now())`,
      [therapistId],
    );
    await auth('POST', 'recover', { body: { email } });
    const answer = await verify('recovery', await tokenIn(mailbox, email, 'Reset your password'));
    expect(answer.status).toBe(200);
    const { access_token: recovered, user } = answer.json as Session;
    expect(user).toHaveProperty('email_confirmed_at');
    expect(user).not.toHaveProperty('factors');
    expect(await readStatusAt(recovered, origin)).toBe(200);
    expect(await readStatusAt(token, origin)).toBe(401);
    expect((await signIn(email, password)).status).toBe(400);
    const left = await admin.query(
      `SELECT 1 FROM identity.mfa_factors WHERE user_id = $1
       UNION ALL SELECT 1 FROM identity.passkeys WHERE user_id = $1`,
      [therapistId],
    );
    expect(left.rowCount).toBe(0);
  });

  it('keeps its factors in a recovery after it is confirmed', async () => {
    const { email, password, token } = await confirmedPractice(origin, mailbox);
    await addFactor(token);
    await auth('POST', 'recover', { body: { email } });
    const answer = await verify('recovery', await tokenIn(mailbox, email, 'Reset your password'));
    const { access_token: recovered, user } = answer.json as Session;
    expect(user).toHaveProperty('factors');
    expect(await readStatusAt(recovered, origin)).toBe(403);
    expect((await signIn(email, password)).status).toBe(200);
  });
});

describe('a sign-up with an invitation', () => {
  it('needs no other mail: the token was mailed to the address', async () => {
    const host = await confirmedPractice(origin, mailbox);
    const email = newEmail();
    await host.rest('memberships', { method: 'POST', body: { email, role: 'therapist' } });
    const { text } = await mailbox.letterTo(email, 'invites you');
    const invitation = /invitation=([\w-]{43})/.exec(text)?.[1];
    const elsewhere = await signUp(newEmail(), undefined, { data: { invitation } });
    expect(elsewhere).toMatchObject({ status: 403, json: { error_code: '42501' } });
    const joined = await signUp(email, undefined, { data: { invitation } });
    expect(joined).toMatchObject({ status: 200, json: { user: { email_confirmed_at: expect.any(String) } } });
    const { access_token: token } = joined.json as Session;
    const headers = { authorization: `Bearer ${token}` };
    const members = await call('/rest/v1/memberships?select=email&order=email', { headers, origin });
    expect(members.json).toHaveLength(2);
  });
});
