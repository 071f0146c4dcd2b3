import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  auth as authAt,
  eventually,
  newPractice as newPracticeAt,
  ownStack,
  patient,
  readStatus as readStatusAt,
  signIn as signInAt,
  logOf,
} from '@practice/testing';
import type { Answer, OwnStack, Practice, Session } from '@practice/testing';
import pg from 'pg';
import { confirmedPractice, openMailbox, type Mailbox } from './mailbox.js';

const site = 'https://app.example.com/start';
let mailbox: Mailbox;
let own: OwnStack;
let identity: Awaited<ReturnType<OwnStack['start']>>;
let gateway: Awaited<ReturnType<OwnStack['start']>>;
let admin: pg.Client;

const startIdentity = (): Promise<typeof identity> =>
  own.start('identity', { SMTP_URL: mailbox.url, SITE_URL: site, MAIL_TO_LOG: 'no' });

beforeAll(async () => {
  [mailbox, own] = await Promise.all([openMailbox(), ownStack()]);
  [identity, gateway] = await Promise.all([startIdentity(), own.start('gateway'), own.start('scheduling')]);
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await own.stop();
  await mailbox.close();
});

const auth = (method: string, path: string, given: Parameters<typeof authAt>[2] = {}): Promise<Answer> =>
  authAt(method, path, { origin: gateway.origin, ...given });
const newPractice = (): Promise<Practice> => confirmedPractice(gateway.origin, mailbox);
const readStatus = (token: string): Promise<number> => readStatusAt(token, gateway.origin);
const signIn = (credentials: { email: string; password: string }): Promise<Answer> =>
  signInAt(credentials, gateway.origin);

const recover = (email: string, redirectTo = ''): Promise<Answer> =>
  auth('POST', `recover${redirectTo === '' ? '' : `?redirect_to=${encodeURIComponent(redirectTo)}`}`, {
    body: { email },
  });
const verify = (body: object): Promise<Answer> => auth('POST', 'verify', { body, headers: { apikey: '' } });

/** The link that was mailed, and the token in it. */
async function mailed({ email }: Practice): Promise<{ link: URL; token: string }> {
  const { text } = await mailbox.letterTo(email, 'Reset your password');
  const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
  return { link, token: link.searchParams.get('token') ?? '' };
}

describe('a forgotten password', () => {
  it('is replaced through the mail, which ends every session and token of the account', async () => {
    const practice = await newPractice();
    const { json } = await auth('POST', 'tokens', {
      token: practice.token,
      body: { name: 'kept by a thief' },
    });
    const made = json as { token: string };
    expect(await readStatus(made.token)).toBe(200);
    expect(await recover(practice.email.toUpperCase())).toMatchObject({ status: 200, json: {} });
    const { token } = await mailed(practice);
    const answer = await verify({ type: 'recovery', token_hash: token });
    expect(answer.status).toBe(200);
    const session = answer.json as Session;
    expect(session.user).toMatchObject({
      id: practice.therapistId,
      recovery_sent_at: expect.stringMatching(/Z$/),
    });
    const claims = JSON.parse(
      Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(claims).toMatchObject({ amr: [{ method: 'otp' }] });
    const password = 'an entirely new one';
    const { access_token: access } = session;
    expect(await readStatus(practice.token)).toBe(401);
    expect(await readStatus(made.token)).toBe(401);
    expect((await auth('PUT', 'user', { body: { password }, token: access })).status).toBe(200);
    expect(await readStatus(practice.token)).toBe(401);
    expect(await readStatus(access)).toBe(200);
    expect((await signIn(practice)).status).toBe(400);
    expect((await signIn({ ...practice, password })).status).toBe(200);
    await mailbox.letterTo(practice.email, 'Your password was changed');
  });

  it('has the same response for an unknown address, which gets no mail', async () => {
    const practice = await newPractice();
    const stranger = `stranger-${randomUUID()}@example.com`;
    const [known, unknown] = [await recover(practice.email), await recover(stranger)];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    const again = [await recover(practice.email), await recover(stranger)];
    for (const { status, json, headers } of again) {
      expect({ status, json }).toMatchObject({
        status: 429,
        json: { error_code: 'over_email_send_rate_limit' },
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await mailed(practice);
    expect(mailbox.letters.filter(({ to }) => to === stranger)).toEqual([]);
  });

  it('has a token that can be used once, until it expires', async () => {
    const [practice, late] = [await newPractice(), await newPractice()];
    await recover(practice.email);
    await recover(late.email);
    const token_hash = (await mailed(practice)).token;
    const attempts = await Promise.all([1, 2, 3].map(() => verify({ type: 'recovery', token_hash })));
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const expired = (await mailed(late)).token;
    await admin.query(
      `UPDATE identity.mailed_tokens SET expires_at = now() - interval '1 s' WHERE user_id = $1`,
      [late.therapistId],
    );
    expect(await verify({ type: 'recovery', token_hash: expired })).toMatchObject({
      status: 403,
      json: { error_code: 'otp_expired', msg: 'Email link is invalid or has expired' },
    });
  });

  it('has a token that ends with a new password or address', async () => {
    const practice = await newPractice();
    await recover(practice.email);
    const { token } = await mailed(practice);
    const body = { password: 'the owner remembered' };
    expect((await auth('PUT', 'user', { body, token: practice.token })).status).toBe(200);
    expect((await verify({ type: 'recovery', token_hash: token })).status).toBe(403);
  });

  it('leaves only the hash of its token', async () => {
    const practice = await newPractice();
    await recover(practice.email);
    const { token } = await mailed(practice);
    const { rows } = await admin.query('SELECT * FROM identity.mailed_tokens WHERE user_id = $1', [
      practice.therapistId,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    await verify({ type: 'recovery', token_hash: token });
    const lines = await eventually('the calls are in the logs', () => {
      const text = [gateway, identity].map(({ name }) => logOf(name, own.dataDir)).join('');
      return text.includes('/auth/v1/verify') && text.includes('"verify"') && text;
    });
    expect(lines).not.toContain(token);
    expect(lines).not.toContain(practice.email);
  });

  it('is mailed when the mail server accepts mails again', async () => {
    const [practice, other] = [await newPractice(), await newPractice()];
    mailbox.refuseWith(451);
    await recover(practice.email);
    mailbox.refuseWith(undefined);
    await recover(other.email);
    for (const one of [other, practice]) expect((await mailed(one)).token).toMatch(/^[\w-]{43}$/);
  });

  it('is logged with the code of a final refusal, but without its text, which contains the address', async () => {
    const practice = await newPractice();
    mailbox.refuseWith(550);
    await recover(practice.email);
    const line = await eventually('the refusal is in the log', () =>
      logOf(identity.name, own.dataDir)
        .split('\n')
        .find((one) => one.includes('a mail was not sent')),
    );
    mailbox.refuseWith(undefined);
    expect(JSON.parse(line ?? '')).toMatchObject({ responseCode: 550 });
    expect(logOf(identity.name, own.dataDir)).not.toContain(practice.email);
  });

  it.each<[object, number, string]>([
    [{}, 400, 'validation_failed'],
    [{ type: 'recovery' }, 400, 'validation_failed'],
    [{ type: 'recovery', token: 'x', token_hash: 'y' }, 400, 'validation_failed'],
    [{ type: 'recovery', token: '123456' }, 400, 'validation_failed'],
    [{ type: 'recovery', token: '123456', email: 'a@b.de' }, 403, 'otp_expired'],
    [{ type: 'recovery', token_hash: 'x', email: 'a@b.de' }, 400, 'validation_failed'],
    [{ type: 'recovery', token_hash: 'x' }, 403, 'otp_expired'],
    [{ type: 'signup', token_hash: 'x' }, 403, 'otp_expired'],
    [{ type: 'other', token_hash: 'x' }, 400, 'validation_failed'],
    [{ type: 'recovery', token_hash: 7 }, 400, 'validation_failed'],
  ])('cannot be verified with %j', async (body, status, code) =>
    expect(await verify(body)).toMatchObject({ status, json: { error_code: code } }),
  );

  it.each([{}, { email: 'no-address' }, { email: 7 }])('cannot be requested with %j', async (body) =>
    expect(await auth('POST', 'recover', { body })).toMatchObject({
      status: 400,
      json: { error_code: 'validation_failed' },
    }),
  );
});

describe('the link of a mail', () => {
  const follow = (link: URL, method = 'GET'): Promise<Response> =>
    fetch(new URL(link.pathname + link.search, gateway.origin), { method, redirect: 'manual' });

  it('leads to the app with a session, and a preview with HEAD does not use it up', async () => {
    const practice = await newPractice();
    await recover(practice.email, 'https://app.example.com/reset');
    const { link } = await mailed(practice);
    const ahead = await follow(link, 'HEAD');
    expect(ahead.headers.get('location')).toBe('https://app.example.com/reset');
    const answer = await follow(link);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe('https://app.example.com/reset');
    const fields = new URLSearchParams(location.hash.slice(1));
    expect(fields.get('type')).toBe('recovery');
    expect(await readStatus(fields.get('access_token') ?? '')).toBe(200);
    const used = new URL((await follow(link)).headers.get('location') ?? '');
    expect(Object.fromEntries(new URLSearchParams(used.hash.slice(1)))).toMatchObject({
      error: 'access_denied',
      error_code: 'otp_expired',
    });
  });

  it('leads to no other site', async () => {
    const practice = await newPractice();
    await recover(practice.email, 'https://evil.example.com/');
    const { link } = await mailed(practice);
    expect(link.searchParams.get('redirect_to')).toBe(site);
    link.searchParams.set('redirect_to', 'https://evil.example.com/');
    expect((await follow(link)).headers.get('location')).toMatch(/^https:\/\/app\.example\.com\/start#/);
  });
});

describe('a mail', () => {
  it('is refused when mail is not configured, for every address', async () => {
    const { email } = await newPractice();
    await identity.stop();
    const mute = await own.start('identity', { MAIL_TO_LOG: 'no' });
    for (const address of [email, 'unknown@example.com'])
      expect(await patient(() => auth('POST', 'recover', { body: { email: address } }))).toMatchObject({
        status: 422,
        json: { error_code: 'email_provider_disabled' },
      });
    await mute.stop();
    identity = await startIdentity();
  });

  it('is in the log of a system that only this machine can reach, without the address', async () => {
    const { email } = await newPracticeAt();
    expect((await authAt('POST', 'recover', { body: { email } })).status).toBe(200);
    const token_hash = await eventually('the mail is in the log', () => {
      const line = logOf('identity')
        .split('\n')
        .findLast((one) => one.includes('Reset your password'));
      return /code, enter:\\n\\n([\w-]{43})/.exec(line ?? '')?.[1];
    });
    expect((await authAt('POST', 'verify', { body: { type: 'recovery', token_hash } })).status).toBe(200);
    expect(logOf('identity')).not.toContain(email);
  });

  it('with a nonce confirms a change in a session', async () => {
    const practice = await newPractice();
    const { token } = practice;
    // A stranger who keeps asking for a recovery does not prevent the mail.
    await recover(practice.email);
    expect(await auth('GET', 'reauthenticate', { token })).toMatchObject({ status: 200, json: {} });
    const { text } = await mailbox.letterTo(practice.email, 'Confirm that it is you');
    const nonce = /\r\n(\d{6})\r\n/.exec(text)?.[1];
    const change = (given: unknown) =>
      auth('PUT', 'user', { body: { data: { seen: true }, nonce: given }, token });
    const wrong = { status: 422, json: { error_code: 'reauthentication_not_valid' } };
    expect(await change('x')).toMatchObject(wrong);
    const refused = [
      ['password1', 'weak_password'],
      [practice.password, 'same_password'],
    ];
    for (const [password, error_code] of refused)
      expect(await auth('PUT', 'user', { body: { password, nonce }, token })).toMatchObject({
        status: 422,
        json: { error_code },
      });
    expect(await change(nonce)).toMatchObject({ status: 200 });
    expect(await change(nonce)).toMatchObject(wrong);
  });
});

describe('a recovery code that ends a hold', () => {
  it('is reported by mail if it was used, but not after a dry run', async () => {
    const { therapistId, email, token, rest } = await newPractice();
    const code = randomUUID().replaceAll('-', '');
    const hash = createHash('sha256').update(`${therapistId} ${code}`).digest('base64url');
    const added =
      'INSERT INTO identity.recovery_codes (user_id, code_hash, retired_at) VALUES ($1, $2, now())';
    await admin.query(added, [therapistId, hash]);
    const held = `UPDATE identity.access SET held_since = now(), held_until = 'infinity' WHERE user_id = $1`;
    await admin.query(held, [therapistId]);
    const enter = async (headers = {}): Promise<number> => {
      const body = { therapist_id: therapistId, recovery_code: code };
      return (await rest('rpc/switch_practice', { method: 'POST', body, headers })).status;
    };
    const SAYING = 'recovery code was used';
    expect(await enter({ prefer: 'tx=rollback' })).toBe(200);
    // A later mail has arrived, so a mail of the dry run would have too.
    await auth('GET', 'reauthenticate', { token });
    await mailbox.letterTo(email, 'Confirm that it is you');
    await mailbox.count(email, SAYING, 0);
    expect(await enter()).toBe(200);
    await mailbox.count(email, SAYING, 1);
  });
});
