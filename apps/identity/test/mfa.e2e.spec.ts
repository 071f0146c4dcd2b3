// Second factors with the real client: enroll, challenge, verify, and the calls for which a password no longer suffices.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, newPractice, readStatus, signIn, stack } from '@practice/testing';
import type { Practice, Session } from '@practice/testing';
import { Secret } from 'otpauth';
import {
  claimsOf,
  codeOf,
  enrolled,
  levels,
  signedIn,
  signUp,
  tokenOf,
  tooLow,
  wrongCode,
} from './mfa-accounts.js';

const admin = adminDatabase();

describe('an authenticator app', () => {
  it('is added with a picture and a secret, and raises the session to aal2 with its first code', async () => {
    const { supabase, email } = await signUp();
    const { mfa } = supabase.auth;
    expect(await levels(supabase)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
    const { data, error } = await mfa.enroll({ factorType: 'totp', friendlyName: 'Phone', issuer: 'Clinic' });
    expect(error).toBeNull();
    expect(data).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      type: 'totp',
      friendly_name: 'Phone',
      totp: {
        qr_code: expect.stringMatching(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/),
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringContaining(
          `otpauth://totp/Clinic:${encodeURIComponent(email)}?issuer=Clinic&secret=`,
        ),
      },
    });
    const { id: factorId, totp } = data as { id: string; totp: { secret: string } };
    const unverified = await mfa.listFactors();
    expect(unverified.data).toMatchObject({ all: [{ id: factorId, status: 'unverified' }], totp: [] });
    expect(await levels(supabase)).toMatchObject({ nextLevel: 'aal1' });

    const challenge = await mfa.challenge({ factorId });
    expect(challenge.data).toEqual({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) });
    const before = await tokenOf(supabase);
    const verified = await mfa.verify({
      factorId,
      challengeId: challenge.data?.id ?? '',
      code: codeOf(totp.secret),
    });
    expect(verified.error).toBeNull();
    expect(verified.data?.user).toMatchObject({ email, factors: [{ id: factorId, status: 'verified' }] });
    expect(await tokenOf(supabase)).not.toBe(before);
    expect(await claimsOf(supabase)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'totp' }, { method: 'password' }],
    });
    expect(await levels(supabase)).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect((await supabase.from('clients').select()).error).toBeNull();
    const refreshed = await supabase.auth.refreshSession();
    expect(refreshed.error).toBeNull();
    expect(await claimsOf(supabase)).toMatchObject({ aal: 'aal2' });
  });

  it('makes a password insufficient: before a right code, only the MFA calls are permitted', async () => {
    const { email, factorId, secret } = await enrolled();
    const supabase = await signedIn(email);
    expect(await levels(supabase)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    const token = await tokenOf(supabase);
    expect((await supabase.from('clients').select()).error).toMatchObject({ code: 'insufficient_aal' });
    expect((await supabase.auth.updateUser({ password: 'another good one' })).error).toMatchObject(tooLow);
    for (const [method, path] of [
      ['GET', 'tokens'],
      ['POST', 'tokens'],
      ['GET', 'reauthenticate'],
    ] as const)
      expect([
        path,
        await auth(method, path, { token, body: method === 'GET' ? undefined : {} }),
      ]).toMatchObject([path, { status: 403, json: { error_code: 'insufficient_aal' } }]);
    expect((await supabase.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(tooLow);
    expect((await supabase.auth.mfa.unenroll({ factorId })).error).toMatchObject(tooLow);
    expect((await supabase.auth.getUser()).data.user?.email).toBe(email);
    const code = codeOf(secret);
    expect((await supabase.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    expect((await supabase.from('clients').select()).error).toBeNull();
    // The earlier token stays at its level.
    expect(await readStatus(token)).toBe(403);
  });

  it('ends the sessions that began without it', async () => {
    const { supabase, email } = await signUp();
    const elsewhere = await tokenOf(await signedIn(email));
    expect(await readStatus(elsewhere)).toBe(200);
    const { data } = await supabase.auth.mfa.enroll({ factorType: 'totp' });
    const { id: factorId, totp } = data as { id: string; totp: { secret: string } };
    await supabase.auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) });
    expect(await readStatus(elsewhere)).toBe(401);
    expect(await readStatus(await tokenOf(supabase))).toBe(200);
  });

  it('has codes that are accepted once, even for two sign-ins at the same time', async () => {
    const { email, factorId, secret } = await enrolled();
    const code = codeOf(secret);
    const sessions = await Promise.all([signedIn(email), signedIn(email)]);
    const answers = await Promise.all(
      sessions.map(({ auth }) => auth.mfa.challengeAndVerify({ factorId, code })),
    );
    expect(answers.map(({ error }) => error?.code ?? 'right').sort()).toEqual([wrongCode.code, 'right']);
    const again = await (await signedIn(email)).auth.mfa.challengeAndVerify({ factorId, code });
    expect(again.error).toMatchObject(wrongCode);
  });

  it('locks after ten wrong codes, for every session of the user', async () => {
    const { email, factorId, secret } = await enrolled();
    const { mfa } = (await signedIn(email)).auth;
    const challengeId = (await mfa.challenge({ factorId })).data?.id ?? '';
    const guesses: unknown[] = [];
    for (let guess = 0; guess < 10; guess += 1) {
      const code = String((Number(codeOf(secret)) + 1 + guess) % 1_000_000).padStart(6, '0');
      guesses.push((await mfa.verify({ factorId, challengeId, code })).error?.code);
    }
    expect(guesses).toEqual(Array(10).fill(wrongCode.code));
    const locked = await (await signedIn(email)).auth.mfa.challenge({ factorId });
    expect(locked.error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    const right = await mfa.verify({ factorId, challengeId, code: codeOf(secret) });
    expect(right.error).toMatchObject({ status: 429 });
  });

  it('accepts no additional guesses when they arrive at the same time', async () => {
    const { email, factorId } = await enrolled();
    const supabase = await signedIn(email);
    const { data } = await supabase.auth.mfa.challenge({ factorId });
    const token = await tokenOf(supabase);
    const body = { challenge_id: data?.id, code: 'no code' };
    const guesses = Array.from({ length: 25 }, () =>
      auth('POST', `factors/${factorId}/verify`, { token, body }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(422), ...Array<number>(15).fill(429)]);
  });

  it.each(['１２３４５６', '12345é'])(
    'refuses %s, which has six characters but not six digits',
    async (code) => {
      const { email, factorId } = await enrolled();
      const { error } = await (await signedIn(email)).auth.mfa.challengeAndVerify({ factorId, code });
      expect(error).toMatchObject(wrongCode);
    },
  );

  it('has challenges that belong only to it and expire', async () => {
    const { supabase, factorId, secret } = await enrolled();
    const { mfa } = supabase.auth;
    const verify = (challengeId: string, factor = factorId, code = codeOf(secret)) =>
      mfa.verify({ factorId: factor, challengeId, code });
    const challengeId = (await mfa.challenge({ factorId })).data?.id ?? '';
    expect((await verify(randomUUID())).error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
    expect((await verify('x')).error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
    expect((await verify(challengeId, randomUUID())).error).toMatchObject({ status: 404 });
    await admin.query(
      `UPDATE identity.mfa_challenges SET expires_at = now() - interval '1 s' WHERE factor_id = $1`,
      [factorId],
    );
    expect((await verify(challengeId)).error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' });
    const stranger = (await signUp()).supabase.auth.mfa;
    expect((await stranger.challenge({ factorId })).error).toMatchObject({ status: 404 });
    expect((await stranger.unenroll({ factorId })).error).toMatchObject({ status: 404 });
  });

  it('is removed by its owner, who then signs in with the password again', async () => {
    const { supabase, email, factorId } = await enrolled();
    expect((await supabase.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    expect((await supabase.auth.mfa.listFactors()).data?.all).toEqual([]);
    expect(await readStatus(await tokenOf(await signedIn(email)))).toBe(200);
  });

  it('is refused where it cannot be used', async () => {
    const { supabase } = await signUp();
    const { mfa } = supabase.auth;
    const named = { factorType: 'totp', friendlyName: 'Phone' } as const;
    expect((await mfa.enroll(named)).error).toBeNull();
    expect((await mfa.enroll(named)).error).toMatchObject({ status: 422, code: 'mfa_factor_name_conflict' });
    expect((await mfa.enroll({ factorType: 'phone', phone: '+491' })).error).toMatchObject({
      status: 422,
      code: 'mfa_phone_enroll_not_enabled',
    });
    const token = await tokenOf(supabase);
    for (const body of [
      {},
      { factor_type: 'sms' },
      { factor_type: 'totp', friendly_name: 7 },
      { factor_type: 'totp', issuer: 'a:b' },
      { factor_type: 'totp', friendly_name: 'x'.repeat(101) },
    ])
      expect([body, await auth('POST', 'factors', { token, body })]).toMatchObject([
        body,
        { status: 400, json: { error_code: 'validation_failed' } },
      ]);
    for (let more = 0; more < 9; more += 1) await mfa.enroll({ factorType: 'totp' });
    expect((await mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
      status: 422,
      code: 'too_many_enrolled_mfa_factors',
    });
  });

  it('needs a recent sign-in to be added or removed', async () => {
    const { supabase, email, factorId } = await enrolled();
    await admin.query(
      `UPDATE identity.sessions SET created_at = now() - interval '11 minutes',
         second_factor_at = now() - interval '11 minutes'
       WHERE user_id = (SELECT user_id FROM identity.credentials WHERE email = $1)`,
      [email],
    );
    const needed = { status: 403, code: 'reauthentication_needed' };
    expect((await supabase.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(needed);
    expect((await supabase.auth.mfa.unenroll({ factorId })).error).toMatchObject(needed);
  });

  it('leaves neither its secret nor its codes in the database', async () => {
    const { email, secret } = await enrolled();
    const { rows } = await admin.query<{ sealed: string }>(
      `SELECT f::text AS row, sealed_secret AS sealed FROM identity.mfa_factors f
       JOIN identity.credentials c ON c.user_id = f.user_id WHERE email = $1`,
      [email],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const plain = Buffer.from(Secret.fromBase32(secret).bytes);
    expect(rows[0]?.sealed).toMatch(/^v1\./);
    const sealed = Buffer.from(rows[0]?.sealed.slice(3) ?? '', 'base64url');
    expect(sealed.includes(plain)).toBe(false);
  });
});

describe('a personal access token', () => {
  it('of a user with a second factor is made only in a session that has passed it', async () => {
    const { supabase, email } = await enrolled();
    const body = { name: 'a script' };
    const half = await tokenOf(await signedIn(email));
    expect((await auth('POST', 'tokens', { token: half, body })).status).toBe(403);
    const made = await auth('POST', 'tokens', { token: await tokenOf(supabase), body });
    expect(made.status).toBe(201);
    expect(await readStatus((made.json as { token: string }).token)).toBe(200);
  });
});

describe('a stolen access token', () => {
  /** A session whose sign-in was 11 minutes ago. */
  async function older(): Promise<Practice> {
    const practice = await newPractice();
    await admin.query(
      `UPDATE identity.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [practice.therapistId],
    );
    return practice;
  }
  const needed = { status: 403, json: { error_code: 'reauthentication_needed' } };

  it('cannot change the password or the address, or make a token', async () => {
    const { token, ...practice } = await older();
    for (const body of [
      { password: 'the choice of a thief' },
      { email: `thief-${randomUUID()}@example.com` },
    ])
      expect([body, await auth('PUT', 'user', { token, body })]).toMatchObject([body, needed]);
    expect(await auth('POST', 'tokens', { token, body: { name: 'x' } })).toMatchObject(needed);
    expect((await auth('PUT', 'user', { token, body: { data: { name: 'Dana' } } })).status).toBe(200);
    expect((await signIn(practice)).status).toBe(200);
  });

  it('can guess the password only ten times, even at the same time, as the present or as the new password', async () => {
    for (const member of ['current_password', 'password'] as const) {
      const practice = await newPractice();
      const { token } = practice;
      const taken = (await newPractice()).email;
      const guesses = Array.from({ length: 12 }, (_, guess) =>
        // The address is taken, so the change fails if the guess was wrong.
        auth('PUT', 'user', { token, body: { [member]: `wrong guess ${guess}`, email: taken, nonce: 'x' } }),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 429)).toHaveLength(2);
      // The session of the owner is not locked.
      expect(await readStatus(token)).toBe(200);
      expect((await signIn(practice)).status).toBe(429);
    }
  });

  it('counts no new password without a proof', async () => {
    const practice = await older();
    const { token } = practice;
    for (let attempt = 0; attempt < 11; attempt += 1)
      expect(await auth('PUT', 'user', { token, body: { password: 'another good one' } })).toMatchObject(
        needed,
      );
    expect((await signIn(practice)).status).toBe(200);
  });

  it('does not lock the owner out: the right password still works in the session', async () => {
    const practice = await older();
    const { token, password: current_password } = practice;
    for (let guess = 0; guess < 10; guess += 1) await signIn({ ...practice, password: 'a stranger guesses' });
    expect((await signIn(practice)).status).toBe(429);
    const body = { password: 'chosen by the owner', current_password };
    expect((await auth('PUT', 'user', { token, body })).status).toBe(200);
  });
});

describe('an account that strangers have locked with wrong passwords from many addresses', () => {
  it('accepts the sign-in of its owner from a known address, or if it has a second factor', async () => {
    const gateway = await stack().spawnProcess('gateway', { TRUSTED_PROXIES: '127.0.0.0/8' });
    try {
      const practice = await newPractice(gateway.origin);
      const from = async (address: string, given: string): Promise<number> => {
        const { status } = await auth('POST', 'token?grant_type=password', {
          body: { email: practice.email, password: given },
          headers: { 'x-forwarded-for': address },
          origin: gateway.origin,
        });
        return status;
      };
      expect(await from('2001:db8:1:2::1', practice.password)).toBe(200);
      // A few at the same time, as a busy machine would be late with more.
      for (let round = 0; round < 20; round += 1) {
        const host = `198.51.100.${Math.floor(round / 2)}`;
        const guesses = Array.from({ length: 5 }, (_, guess) => from(host, `guess ${round} ${guess}`));
        expect(await Promise.all(guesses)).toEqual(Array(5).fill(400));
      }
      expect(await from('203.0.113.1', practice.password)).toBe(429);
      expect(await from('203.0.113.1', 'a wrong one')).toBe(429);
      expect((await signIn(practice, gateway.origin)).status).toBe(200);
      // The owner's device has another address in the same network by now.
      expect(await from('2001:db8:1:2:3:4:5:6', practice.password)).toBe(200);
      expect(await from('2001:db8:1:3::1', practice.password)).toBe(429);
      const { token } = practice;
      const factor = await auth('POST', 'factors', { token, body: { factor_type: 'totp' } });
      const { id, totp } = factor.json as { id: string; totp: { secret: string } };
      const challenge = await auth('POST', `factors/${id}/challenge`, { token, body: {} });
      const { id: challenge_id } = challenge.json as { id: string };
      const body = { challenge_id, code: codeOf(totp.secret) };
      expect((await auth('POST', `factors/${id}/verify`, { token, body })).status).toBe(200);
      expect(await from('203.0.113.1', practice.password)).toBe(200);
      expect(await from('203.0.113.2', 'a wrong one')).toBe(429);
    } finally {
      await gateway.stop();
    }
  });
});

describe('a session', () => {
  const refresh = ({ refresh_token }: Session) =>
    auth('POST', 'token?grant_type=refresh_token', { body: { refresh_token } });
  const age = (session: Session, column: string, interval: string) =>
    admin.query(`UPDATE identity.sessions SET ${column} = now() - $2::interval WHERE user_id = $1`, [
      session.user.id,
      interval,
    ]);

  it.each([
    ['12 hours without a refresh', 'refreshed_at', '11 hours 59 minutes', '12 hours 1 minute', /Inactivity/],
    ['30 days', 'created_at', '29 days 23 hours', '30 days 1 minute', /Expired$/],
  ])('ends after %s', async (_time, column, before, after, message) => {
    const session = (await signIn(await newPractice())).json as Session;
    await age(session, column, before);
    const next = await refresh(session);
    expect(next.status).toBe(200);
    await age(session, column, after);
    expect(await refresh(next.json as Session)).toMatchObject({
      status: 400,
      json: { error_code: 'session_expired', msg: expect.stringMatching(message) },
    });
    expect(await readStatus((next.json as Session).access_token)).toBe(401);
  });
});
