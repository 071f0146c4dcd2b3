// Passkeys with the real client and an authenticator in software: their management, the sign-in with them, and attacks.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, readStatus } from '@practice/testing';
import {
  type Deviation,
  makePasskey,
  register,
  signChallenge,
  signInWith,
  type SoftwarePasskey,
} from './authenticator.js';
import { claimsOf, client, codeOf, enroll, levels, signedIn, tokenOf, tooLow } from './mfa-accounts.js';
import { joined, type Person, signUp } from './people.js';

const admin = adminDatabase();
const refused = { status: 400, code: 'webauthn_verification_failed' };

async function withPasskey(): Promise<Person & { readonly passkey: SoftwarePasskey; readonly id: string }> {
  const person = await signUp();
  const { passkey, error } = await register(person.supabase);
  expect(error).toBeNull();
  return { ...person, passkey: passkey as SoftwarePasskey };
}

/** The person in a new session, signed in with the passkey. */
async function again(passkey: SoftwarePasskey) {
  const supabase = client();
  expect((await signInWith(supabase, passkey)).error).toBeNull();
  return supabase;
}

const kindsOf = async ({ supabase }: Pick<Person, 'supabase'>): Promise<string[]> => {
  const { data } = await supabase.from('security_events').select('kind').order('created_at').order('id');
  return (data as { kind: string }[]).map(({ kind }) => kind);
};

const agePractice = ({ id }: Person) =>
  admin.query(
    `UPDATE identity.sessions SET created_at = created_at - interval '1 hour',
       second_factor_at = second_factor_at - interval '1 hour' WHERE user_id = $1`,
    [id],
  );

describe('a passkey', () => {
  it('is registered, listed, renamed and removed by its user, and each change is a security event', async () => {
    const { supabase } = await signUp();
    const { passkey } = supabase.auth;
    expect((await passkey.list()).data).toEqual([]);
    const { data: made } = await register(supabase);
    expect(made).toEqual({ id: expect.any(String), created_at: expect.any(String) });
    const passkeyId = made?.id ?? '';
    const renamed = await passkey.update({ passkeyId, friendlyName: 'Laptop' });
    expect(renamed.data).toMatchObject({ id: passkeyId, friendly_name: 'Laptop' });
    expect((await passkey.list()).data).toEqual([renamed.data]);
    expect(await passkey.delete({ passkeyId })).toEqual({ data: null, error: null });
    expect((await passkey.list()).data).toEqual([]);
    expect((await passkey.delete({ passkeyId })).error).toMatchObject({ status: 404 });
    expect(await kindsOf({ supabase })).toEqual([
      'signed_in',
      'passkey_registered',
      'passkey_renamed',
      'passkey_removed',
    ]);
  });

  it('signs in at aal2 without an address, and its session continues at aal2', async () => {
    const person = await withPasskey();
    const supabase = client();
    const { data, error } = await signInWith(supabase, person.passkey);
    expect(error).toBeNull();
    expect(data?.user).toMatchObject({ id: person.id, email: person.email });
    const proven = { aal: 'aal2', amr: [{ method: 'passkey', timestamp: expect.any(Number) }] };
    expect(await claimsOf(supabase)).toMatchObject(proven);
    expect(await levels(supabase)).toMatchObject({ currentLevel: 'aal2' });
    expect((await supabase.from('clients').select()).error).toBeNull();
    expect((await supabase.auth.refreshSession()).error).toBeNull();
    expect(await claimsOf(supabase)).toMatchObject(proven);
    const { data: sessions } = await supabase.rpc('open_sessions').eq('is_current', true);
    expect(sessions).toMatchObject([{ method: 'passkey' }]);
    expect((await supabase.auth.passkey.list()).data).toMatchObject([{ last_used_at: expect.any(String) }]);
    expect(await kindsOf({ supabase })).toEqual(['signed_in', 'passkey_registered', 'signed_in']);
  });

  it('is asked for by options that name the app, require verification, and name no account', async () => {
    const { supabase, id, email, passkey } = await withPasskey();
    const registration = (await supabase.auth.passkey.startRegistration()).data?.options;
    expect(registration).toMatchObject({
      rp: { id: 'localhost' },
      user: { id: Buffer.from(id).toString('base64url'), name: email },
      excludeCredentials: [{ id: passkey.credentialId, transports: ['hybrid', 'internal'] }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const started = (await client().auth.passkey.startAuthentication()).data;
    expect(started?.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(started?.options).not.toHaveProperty('allowCredentials');
    const seconds = (started?.expires_at ?? 0) - Date.now() / 1000;
    expect(seconds).toBeGreaterThan(200);
    expect(seconds).toBeLessThan(330);
  });

  it('passes the second factor of an account with an authenticator app', async () => {
    const person = await withPasskey();
    await enroll(person);
    const supabase = await again(person.passkey);
    expect(await readStatus(await tokenOf(supabase))).toBe(200);
  });

  it('passes the second factor that a practice requires, for sign-ins and tokens', async () => {
    const { supabase, passkey, id, email } = await withPasskey();
    const strong = await again(passkey);
    const token = await tokenOf(strong);
    const made = (await auth('POST', 'tokens', { token, body: { name: 'script' } })).json;
    const { token: personal } = made as { token: string };
    const { error } = await strong.from('practices').update({ require_mfa: true }).eq('id', id);
    expect(error).toBeNull();
    expect(await readStatus(await tokenOf(strong))).toBe(200);
    expect(await readStatus(personal)).toBe(200);
    expect(await readStatus(await tokenOf(supabase))).toBe(401);
    // A thief of the password cannot add another means of sign-in.
    const thief = await signedIn(email);
    expect((await thief.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(tooLow);
    expect((await register(thief)).error).toMatchObject(tooLow);
    expect((await thief.auth.passkey.list()).error).toMatchObject(tooLow);
  });

  it('is not replaced by an authenticator app that a thief of the password has begun to add before', async () => {
    const { supabase, passkey, id, email } = await withPasskey();
    const { data } = await supabase.auth.mfa.enroll({ factorType: 'totp' });
    const { id: factorId, totp } = data as { id: string; totp: { secret: string } };
    await (await again(passkey)).from('practices').update({ require_mfa: true }).eq('id', id);
    const code = codeOf(totp.secret);
    const verified = await (await signedIn(email)).auth.mfa.challengeAndVerify({ factorId, code });
    expect(verified.error).toMatchObject(tooLow);
  });

  it('can be registered with only the password by a member without the factor that the practice requires', async () => {
    const owner = await withPasskey();
    const strong = await again(owner.passkey);
    const member = await joined(owner, 'therapist');
    await strong.from('practices').update({ require_mfa: true }).eq('id', owner.id);
    const weak = await signedIn(member.email);
    expect(await readStatus(await tokenOf(weak))).toBe(403);
    const { passkey, error } = await register(weak);
    expect(error).toBeNull();
    const supabase = await again(passkey as SoftwarePasskey);
    expect(await claimsOf(supabase)).toMatchObject({ therapist_id: owner.id, aal: 'aal2' });
    expect(await readStatus(await tokenOf(supabase))).toBe(200);
  });

  it('needs a recent sign-in to be added or removed, and aal2 if there is an authenticator app', async () => {
    const person = await withPasskey();
    const passkeyId = (await person.supabase.auth.passkey.list()).data?.[0]?.id ?? '';
    await agePractice(person);
    const needed = { status: 403, code: 'reauthentication_needed' };
    expect((await register(person.supabase)).error).toMatchObject(needed);
    expect((await person.supabase.auth.passkey.delete({ passkeyId })).error).toMatchObject(needed);
    await enroll({ supabase: await signedIn(person.email) });
    const weak = await signedIn(person.email);
    expect((await register(weak)).error).toMatchObject(tooLow);
    expect((await weak.auth.passkey.delete({ passkeyId })).error).toMatchObject(tooLow);
  });

  it('is removed when an owner resets the factors of a member', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'therapist');
    const { passkey } = await register(member.supabase);
    const { data } = await owner.supabase.rpc('reset_factors', { user_id: member.id });
    expect(data).toMatchObject({ outcome: 'reset' });
    expect((await signInWith(client(), passkey as SoftwarePasskey)).error).toMatchObject(refused);
  });

  it('stays valid after a new password, and a user can have at most ten', async () => {
    const { supabase, passkey } = await withPasskey();
    expect((await supabase.auth.updateUser({ password: 'another good one' })).error).toBeNull();
    await again(passkey);
    for (let made = 1; made < 10; made += 1) expect((await register(supabase)).error).toBeNull();
    expect((await register(supabase)).error).toMatchObject({ status: 422, code: 'too_many_passkeys' });
  });
});

describe('an attacker', () => {
  const attacks: readonly (readonly [string, Deviation])[] = [
    ['a page of another origin', { origin: 'https://evil.example.com' }],
    ['a page whose host only begins like the app', { origin: 'http://localhost.evil.example.com' }],
    ['a passkey of another app', { rpId: 'evil.example.com' }],
    ['an authenticator that did not check its user', { isUnverified: true }],
    ['an answer of the other ceremony', { type: 'webauthn.create' }],
    ['an answer to another challenge', { challenge: 'c2lnbmVkIGVhcmxpZXI' }],
    ['a signature of another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['the id of another user', { userHandle: Buffer.from(randomUUID()).toString('base64url') }],
  ];

  it.each(attacks)('does not sign in with %s', async (_, deviation) => {
    const { passkey } = await withPasskey();
    const supabase = client();
    expect((await signInWith(supabase, passkey, deviation)).error).toMatchObject(refused);
    expect(await tokenOf(supabase)).toBe('');
    await again(passkey);
  });

  it.each(attacks.filter(([, { key, userHandle }]) => key === undefined && userHandle === undefined))(
    'does not register with %s',
    async (_, { type, ...deviation }) => {
      const { supabase } = await signUp();
      const other = type === undefined ? {} : { type: 'webauthn.get' };
      expect((await register(supabase, { ...deviation, ...other })).error).toMatchObject(refused);
      expect((await supabase.auth.passkey.list()).data).toEqual([]);
    },
  );

  it('can use a challenge only once, even after a wrong answer, before it expires, and for its purpose', async () => {
    const { supabase, passkey } = await withPasskey();
    const opened = async () => {
      const { data } = await client().auth.passkey.startAuthentication();
      return { challengeId: data?.challenge_id ?? '', challenge: data?.options.challenge ?? '' };
    };
    const verify = ({ challengeId }: { challengeId: string }, credential: never) =>
      client().auth.passkey.verifyAuthentication({ challengeId, credential });
    const notFound = { status: 400, code: 'webauthn_challenge_not_found' };

    const once = await opened();
    const credential = signChallenge(passkey, once.challenge);
    const answers = await Promise.all([verify(once, credential), verify(once, credential)]);
    expect(answers.map(({ error }) => error?.code ?? 'right').sort()).toEqual(['right', notFound.code]);

    const spoiled = await opened();
    const wrong = signChallenge(passkey, spoiled.challenge, { origin: 'https://evil.example.com' });
    expect((await verify(spoiled, wrong)).error).toMatchObject(refused);
    const right = signChallenge(passkey, spoiled.challenge);
    expect((await verify(spoiled, right)).error).toMatchObject(notFound);

    const late = await opened();
    await admin.query(
      `UPDATE identity.passkey_challenges SET expires_at = now() - interval '1 s' WHERE id = $1`,
      [late.challengeId],
    );
    expect((await verify(late, signChallenge(passkey, late.challenge))).error).toMatchObject({
      status: 400,
      code: 'webauthn_challenge_expired',
    });

    const forSignIn = await opened();
    const made = makePasskey({ challenge: forSignIn.challenge, user: { id: 'eA' } }).credential;
    const { challengeId } = forSignIn;
    const crossed = await supabase.auth.passkey.verifyRegistration({ challengeId, credential: made });
    expect(crossed.error).toMatchObject(notFound);

    const registration = (await supabase.auth.passkey.startRegistration()).data;
    const ofUser = { challengeId: registration?.challenge_id ?? '' };
    const signed = signChallenge(passkey, registration?.options.challenge ?? '');
    expect((await verify(ofUser, signed)).error).toMatchObject(notFound);
    const stranger = (await signUp()).supabase.auth.passkey;
    const taken = makePasskey(registration?.options as never).credential;
    expect((await stranger.verifyRegistration({ ...ofUser, credential: taken })).error).toMatchObject(
      notFound,
    );
  });

  it('is refused with a counter that does not increase, and the owner sees the refusal', async () => {
    const { supabase, passkey } = await withPasskey();
    await again(passkey);
    await again(passkey);
    for (const counter of [2, 1, 0]) {
      const copy = { ...passkey };
      expect((await signInWith(client(), copy, { counter })).error).toMatchObject(refused);
    }
    // Without the key, a lower counter is a wrong answer like any other.
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect((await signInWith(client(), { ...passkey }, { counter: 1, key })).error).toMatchObject(refused);
    const kinds = await kindsOf({ supabase });
    expect(kinds.filter((kind) => kind === 'passkey_counter_refused')).toHaveLength(3);
    await again(passkey);
  });

  it('gets the same refusal for an unknown passkey as for a wrong key, and cannot take over a passkey', async () => {
    const { passkey } = await withPasskey();
    const { credentialId } = makePasskey({ challenge: '', user: { id: 'eA' } }).passkey;
    const unknown = await signInWith(client(), { ...passkey }, { credentialId });
    const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const wrong = await signInWith(client(), { ...passkey }, { key });
    expect(JSON.stringify(unknown.error)).toBe(JSON.stringify(wrong.error));
    const stranger = await signUp();
    const taken = await register(stranger.supabase, { credentialId: passkey.credentialId });
    expect(taken.error).toMatchObject({ status: 422, code: 'webauthn_credential_exists' });
    const mine = await register(stranger.supabase);
    const posing = { userHandle: passkey.userHandle };
    const posed = await signInWith(client(), mine.passkey as SoftwarePasskey, posing);
    expect(posed.error).toMatchObject(refused);
  });

  it('does not make the service read a certificate', async () => {
    const { supabase } = await signUp();
    for (const fmt of ['packed', 'apple', 'tpm', 'android-key', 'fido-u2f']) {
      const statement = new Map<string, unknown>([['x5c', [new Uint8Array(8)]]]);
      const { error } = await register(supabase, { attestation: { fmt, statement } });
      expect(error).toMatchObject(refused);
    }
  });

  it('cannot rename or remove a passkey of another user', async () => {
    const { supabase } = await withPasskey();
    const passkeyId = (await supabase.auth.passkey.list()).data?.[0]?.id ?? '';
    const stranger = (await signUp()).supabase.auth.passkey;
    const missing = { status: 404, message: 'Passkey not found' };
    expect((await stranger.update({ passkeyId, friendlyName: 'mine' })).error).toMatchObject(missing);
    expect((await stranger.delete({ passkeyId })).error).toMatchObject(missing);
    expect((await supabase.auth.passkey.list()).data).toMatchObject([{ id: passkeyId }]);
    expect((await client().auth.passkey.list()).error).not.toBeNull();
    expect((await auth('GET', 'passkeys')).status).toBe(401);
    expect((await auth('POST', 'passkeys/registration/options', { body: {} })).status).toBe(401);
    expect((await auth('POST', `passkeys/${passkeyId}`, { body: {} })).status).toBe(405);
  });

  it('gets a clear refusal for each malformed body, and never an error of the server', async () => {
    const { supabase, passkey } = await withPasskey();
    const token = await tokenOf(supabase);
    const passkeyId = (await supabase.auth.passkey.list()).data?.[0]?.id ?? '';
    const { credentialId: id, userHandle } = passkey;
    const credentials = [
      ...[undefined, null, 7, 'x', [], {}, { id: 7 }, { id: 'a b' }, { id: 'A'.repeat(2000) }],
      ...[{ id }, { id, response: null }, { id, rawId: id, type: 'public-key', response: {} }],
      ...[
        { userHandle },
        { userHandle, clientDataJSON: 7 },
        { userHandle, clientDataJSON: 'bnVsbA', attestationObject: 'oA' },
        { userHandle, clientDataJSON: 'e30', attestationObject: '!', authenticatorData: 'AA', signature: 7 },
      ].map((response) => ({ id, rawId: id, type: 'public-key', response })),
    ];
    for (const credential of credentials)
      for (const kind of ['authentication', 'registration']) {
        const opened = await auth('POST', `passkeys/${kind}/options`, { token, body: {} });
        const { challenge_id } = opened.json as { challenge_id: string };
        const answer = await auth('POST', `passkeys/${kind}/verify`, {
          token,
          body: { challenge_id, credential },
        });
        expect([kind, credential, answer.status]).toEqual([kind, credential, 400]);
      }
    for (const challenge_id of [undefined, 7, 'x'])
      expect(
        await auth('POST', 'passkeys/authentication/verify', { body: { challenge_id, credential: { id } } }),
      ).toMatchObject({ status: 400, json: { msg: 'challenge_id must be a valid UUID' } });
    for (const friendly_name of [undefined, null, 7, '', ' ', 'a'.repeat(121), 'a\u0000b'])
      expect(await auth('PATCH', `passkeys/${passkeyId}`, { token, body: { friendly_name } })).toMatchObject({
        status: 400,
        json: { error_code: 'validation_failed' },
      });
    expect((await auth('PATCH', 'passkeys/x', { token, body: { friendly_name: 'x' } })).status).toBe(404);
  });
});
