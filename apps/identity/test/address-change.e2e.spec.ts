// A new address takes effect when the mails to both addresses have been answered.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth as authAt, ownStack } from '@practice/testing';
import type { Answer, OwnStack, Practice, Session } from '@practice/testing';
import pg from 'pg';
import { confirmedPractice, openMailbox, tokenIn, type Mailbox } from './mailbox.js';

const APPROVE = 'Approve the new address of your account';
const CONFIRM = 'Confirm your new address';
let mailbox: Mailbox;
let own: OwnStack;
let origin: string;
let admin: pg.Client;
beforeAll(async () => {
  [mailbox, own] = await Promise.all([openMailbox(), ownStack()]);
  const settings = { SMTP_URL: mailbox.url, SITE_URL: 'https://app.example.com/', MAIL_TO_LOG: 'no' };
  const [gateway] = await Promise.all([own.start('gateway'), own.start('identity', settings)]);
  origin = gateway.origin;
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await own.stop();
  await mailbox.close();
});

const newEmail = (): string => `changed-${randomUUID()}@example.com`;
const newPractice = (): Promise<Practice> => confirmedPractice(origin, mailbox);
const auth = (method: string, path: string, given: Parameters<typeof authAt>[2] = {}): Promise<Answer> =>
  authAt(method, path, { origin, ...given });
const change = (token: string, body: object): Promise<Answer> => auth('PUT', 'user', { token, body });
const signIn = (email: string, password: string): Promise<Answer> =>
  auth('POST', 'token?grant_type=password', { body: { email, password } });
const answer = (token_hash: string): Promise<Answer> =>
  auth('POST', 'verify', { body: { type: 'email_change', token_hash } });
/** The address that the mailed link leads to. */
const locationOf = async (token: string): Promise<string> => {
  const link = `${origin}/auth/v1/verify?type=email_change&token=${token}`;
  return String((await fetch(link, { redirect: 'manual' })).headers.get('location'));
};
const lettersTo = (address: string, saying: string): number =>
  mailbox.letters.filter(({ to, text }) => to === address && text.includes(saying)).length;

describe('a new address', () => {
  it.each<[string, (old: string, next: string) => string[]]>([
    ['the old one first', (old, next) => [old, next]],
    ['the new one first', (old, next) => [next, old]],
  ])('takes effect when both mails were answered, %s', async (_which, inOrder) => {
    const { email, password, token } = await newPractice();
    const next = newEmail();
    const asked = await change(token, { email: next.toUpperCase() });
    expect(asked).toMatchObject({
      status: 200,
      json: { email, new_email: next, email_change_sent_at: expect.stringMatching(/Z$/) },
    });
    const [old, fresh] = [await tokenIn(mailbox, email, APPROVE), await tokenIn(mailbox, next, CONFIRM)];
    const [first = '', second = ''] = inOrder(old, fresh);
    const half = await answer(first);
    expect(half).toMatchObject({ status: 200, json: { msg: expect.stringContaining('other email') } });
    expect(half.text).not.toContain('access_token');
    expect((await answer(first)).status).toBe(403);
    expect([(await signIn(email, password)).status, (await signIn(next, password)).status]).toEqual([
      200, 400,
    ]);
    const done = await answer(second);
    expect(done.json).toMatchObject({ user: { email: next } });
    expect((done.json as Session).user).not.toHaveProperty('new_email');
    expect([(await signIn(email, password)).status, (await signIn(next, password)).status]).toEqual([
      400, 200,
    ]);
    await mailbox.letterTo(email, 'The address of your account was changed');
    expect((await answer(second)).status).toBe(403);
  });

  it('is recorded in the log of the practice when it takes effect, not before', async () => {
    const { email, token, therapistId } = await newPractice();
    const types = async (): Promise<unknown[]> =>
      (
        await admin.query(
          `SELECT type FROM identity.events
           WHERE therapist_id = $1 AND aggregate <> 'security_event' ORDER BY position`,
          [therapistId],
        )
      ).rows;
    const next = newEmail();
    const before = await types();
    await change(token, { email: next });
    expect(await types()).toEqual(before);
    for (const one of [await tokenIn(mailbox, email, APPROVE), await tokenIn(mailbox, next, CONFIRM)])
      expect((await answer(one)).status).toBe(200);
    expect((await types()).slice(before.length)).toEqual([
      { type: 'UserAddressChanged' },
      { type: 'PracticeContactChanged' },
      { type: 'MembershipDetailsChanged' },
    ]);
    const { rows } = await admin.query<{ kind: string }>(
      `SELECT kind FROM identity.security_events
       WHERE therapist_id = $1 AND kind IN ('address_confirmed', 'account_changed') ORDER BY created_at, id`,
      [therapistId],
    );
    expect(rows.map(({ kind }) => kind)).toEqual([
      ...['address_confirmed', 'account_changed', 'address_confirmed'],
    ]);
  });

  it('that has an account gets the same response, and its owner gets a notice', async () => {
    const [a, b, next] = [await newPractice(), await newPractice(), newEmail()];
    const other = await newPractice();
    const [taken, free] = [
      await change(a.token, { email: b.email }),
      await change(other.token, { email: next }),
    ];
    const shapeOf = ({ status, json }: Answer) => [status, Object.keys(json as object)];
    expect(shapeOf(taken)).toEqual(shapeOf(free));
    await mailbox.letterTo(b.email, 'Your address was entered for another account');
    expect((await answer(await tokenIn(mailbox, a.email, APPROVE))).status).toBe(200);
    expect(lettersTo(b.email, CONFIRM)).toBe(0);
    expect((await signIn(b.email, b.password)).json).toMatchObject({ user: { id: b.therapistId } });
  });

  it('that got an account meanwhile is refused, and nothing changes', async () => {
    const [a, b, next] = [await newPractice(), await newPractice(), newEmail()];
    for (const { token } of [a, b]) expect((await change(token, { email: next })).status).toBe(200);
    await mailbox.count(next, CONFIRM, 2);
    await answer(await tokenIn(mailbox, b.email, APPROVE));
    await answer(await tokenIn(mailbox, a.email, APPROVE));
    const tokens = mailbox.letters
      .filter(({ to, text }) => to === next && text.includes(CONFIRM))
      .map(({ text }) => /[?&]token=([\w-]{43})/.exec(text)?.[1] ?? '');
    const answers = await Promise.all(tokens.map(answer));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const owners = await Promise.all([a, b].map(({ password }) => signIn(next, password)));
    expect(owners.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('can be requested once a minute, and a new password ends the request', async () => {
    const { email, token } = await newPractice();
    const next = newEmail();
    await change(token, { email: next });
    expect(await change(token, { email: newEmail() })).toMatchObject({
      status: 429,
      json: { error_code: 'over_email_send_rate_limit' },
    });
    const old = await tokenIn(mailbox, email, APPROVE);
    const changed = await change(token, { password: 'another good one' });
    expect(changed.json).not.toHaveProperty('new_email');
    expect((await answer(old)).status).toBe(403);
    expect((await change(token, { email })).status).toBe(200);
  });

  it('is mailed again on request, and earlier links become invalid', async () => {
    const { email, token } = await newPractice();
    const next = newEmail();
    await change(token, { email: next });
    const before = await tokenIn(mailbox, email, APPROVE);
    await mailbox.letterTo(next, CONFIRM);
    const resent = await auth('POST', 'resend', { body: { type: 'email_change', email } });
    expect(resent).toMatchObject({ status: 200, json: {} });
    await mailbox.count(email, APPROVE, 2);
    await mailbox.count(next, CONFIRM, 2);
    expect((await answer(before)).status).toBe(403);
    expect(await locationOf(await tokenIn(mailbox, email, APPROVE))).toMatch(
      /^https:\/\/app\.example\.com\/#message=Confirmation/,
    );
    expect((await answer(await tokenIn(mailbox, next, CONFIRM))).status).toBe(200);
  });

  it('is mailed again with the challenge of the later call (PKCE)', async () => {
    const { email, token } = await newPractice();
    const next = newEmail();
    const [verifier, later] = ['v'.repeat(43), 'l'.repeat(43)];
    const plain = (code_challenge: string) => ({ code_challenge, code_challenge_method: 'plain' });
    await change(token, { email: next, ...plain(verifier) });
    await mailbox.letterTo(next, CONFIRM);
    await auth('POST', 'resend', { body: { type: 'email_change', email, ...plain(later) } });
    await mailbox.count(email, APPROVE, 2);
    await mailbox.count(next, CONFIRM, 2);
    expect((await answer(await tokenIn(mailbox, email, APPROVE))).status).toBe(200);
    const led = new URL(await locationOf(await tokenIn(mailbox, next, CONFIRM)));
    const exchange = { auth_code: led.searchParams.get('code'), code_verifier: later };
    expect(await auth('POST', 'token?grant_type=pkce', { body: exchange })).toMatchObject({
      status: 200,
      json: { user: { email: next } },
    });
  });
});
