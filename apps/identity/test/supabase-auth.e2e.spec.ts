// Each method of the real client that an account with an address and a password can use, and the refusals of all other methods.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  auth,
  eventually,
  ownStack,
  stack,
  type Answer,
  type OwnStack,
  patientFetch,
} from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { openMailbox, tokenIn, type Mailbox } from './mailbox.js';

const password = 'correct horse battery';
const newEmail = (): string => `owner-${randomUUID()}@example.com`;

let mailbox: Mailbox;
let own: OwnStack;
let gateway: Awaited<ReturnType<OwnStack['start']>>;
beforeAll(async () => {
  [mailbox, own] = await Promise.all([openMailbox(), ownStack()]);
  const settings = { SMTP_URL: mailbox.url, SITE_URL: 'https://app.example.com/', MAIL_TO_LOG: 'no' };
  [gateway] = await Promise.all([own.start('gateway'), own.start('identity', settings)]);
});
afterAll(async () => {
  await own.stop();
  await mailbox.close();
});

const post = (path: string, body: object): Promise<Answer> =>
  auth('POST', path, { body, origin: gateway.origin });

function client(options: { flowType?: 'pkce' } = {}): SupabaseClient {
  return createClient(gateway.origin, stack().apikey, {
    global: { fetch: patientFetch },
    auth: { persistSession: false, autoRefreshToken: false, ...options },
    realtime: { transport: WebSocket as never },
  });
}

async function signUp(supabase = client()): Promise<{ supabase: SupabaseClient; email: string }> {
  const email = newEmail();
  expect((await supabase.auth.signUp({ email, password })).error).toBeNull();
  const token_hash = await tokenIn(mailbox, email, 'Confirm your address');
  expect((await supabase.auth.verifyOtp({ token_hash, type: 'signup' })).error).toBeNull();
  return { supabase, email };
}

/** Another device of the same user. */
async function signedIn(email: string, with_ = password): Promise<SupabaseClient> {
  const supabase = client();
  const { error } = await supabase.auth.signInWithPassword({ email, password: with_ });
  expect(error).toBeNull();
  return supabase;
}

const isSignedIn = async ({ auth }: SupabaseClient): Promise<boolean> =>
  (await auth.getUser()).error === null;

describe('supabase.auth', () => {
  it('notifies its listeners of changes of the session', async () => {
    const supabase = client();
    const events: string[] = [];
    const { data } = supabase.auth.onAuthStateChange((event) => void events.push(event));
    const { email } = await signUp(supabase);
    await supabase.auth.updateUser({ data: { name: 'Dana' } });
    await supabase.auth.refreshSession();
    await supabase.auth.signOut();
    await supabase.auth.signInWithPassword({ email, password });
    await eventually(
      'all listeners were notified',
      () => events.filter((one) => one === 'SIGNED_IN').length === 2,
    );
    data.subscription.unsubscribe();
    expect(events).toEqual([
      'INITIAL_SESSION',
      'SIGNED_IN',
      'USER_UPDATED',
      'TOKEN_REFRESHED',
      'SIGNED_OUT',
      'SIGNED_IN',
    ]);
  });

  it('continues a session from its two tokens', async () => {
    const { supabase, email } = await signUp();
    const { data } = await supabase.auth.getSession();
    const { access_token = '', refresh_token = '' } = data.session ?? {};
    const other = client();
    const set = await other.auth.setSession({ access_token, refresh_token });
    expect([set.error, set.data.user?.email]).toEqual([null, email]);
    const refreshed = await client().auth.refreshSession({ refresh_token });
    expect([refreshed.error, refreshed.data.user?.email]).toEqual([null, email]);
    const claims = await other.auth.getClaims(refreshed.data.session?.access_token);
    expect([claims.error, claims.data?.claims['email']]).toEqual([null, email]);
    expect((await other.auth.getUser(access_token)).data.user?.email).toBe(email);
  });

  it('changes address, password and data', async () => {
    const { supabase, email } = await signUp();
    const elsewhere = await signedIn(email);
    const [address, secret] = [newEmail(), 'another good one'];
    const { data, error } = await supabase.auth.updateUser({
      email: address,
      password: secret,
      data: { name: 'Dana' },
    });
    expect([error, data.user]).toMatchObject([
      null,
      { email, new_email: address, user_metadata: { name: 'Dana' } },
    ]);
    expect([await isSignedIn(supabase), await isSignedIn(elsewhere)]).toEqual([true, false]);
    for (const [to, title] of [
      [email, 'Approve the new address of your account'],
      [address, 'Confirm your new address'],
    ] as const) {
      const token_hash = await tokenIn(mailbox, to, title);
      expect((await client().auth.verifyOtp({ token_hash, type: 'email_change' })).error).toBeNull();
    }
    await signedIn(address, secret);
    await mailbox.letterTo(email, 'The address of your account was changed');
    await mailbox.letterTo(email, 'Your password was changed');
    const same = await supabase.auth.updateUser({ password: secret });
    expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
    const weak = await supabase.auth.updateUser({ password: 'short' });
    expect(weak.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
  });

  it('resets a password by mail', async () => {
    const { email } = await signUp();
    const forgetful = client();
    const options = { redirectTo: 'https://app.example.com/reset' };
    const asked = await forgetful.auth.resetPasswordForEmail(email, options);
    expect(asked.error).toBeNull();
    const token_hash = await tokenIn(mailbox, email, 'Reset your password');
    const { data, error } = await forgetful.auth.verifyOtp({ token_hash, type: 'recovery' });
    expect([error, data.user?.email]).toEqual([null, email]);
    expect((await forgetful.auth.updateUser({ password: 'remembered from now on' })).error).toBeNull();
    await signedIn(email, 'remembered from now on');
    const again = await client().auth.verifyOtp({ token_hash, type: 'recovery' });
    expect(again.error).toMatchObject({ status: 403, code: 'otp_expired' });
    const soon = await forgetful.auth.resetPasswordForEmail(email, options);
    expect(soon.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    const stranger = await forgetful.auth.resetPasswordForEmail(newEmail(), options);
    expect(stranger.error).toBeNull();
  });

  it('resets a password by mail only for the browser that asked for it (PKCE)', async () => {
    const { email } = await signUp();
    const asking = client({ flowType: 'pkce' });
    const options = { redirectTo: 'https://app.example.com/reset?from=mail' };
    expect((await asking.auth.resetPasswordForEmail(email, options)).error).toBeNull();
    const { text } = await mailbox.letterTo(email, 'Reset your password');
    const link = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '');
    const path = link.pathname + link.search;
    const { headers } = await fetch(new URL(path, gateway.origin), { redirect: 'manual' });
    const led = new URL(headers.get('location') ?? '');
    const { code = '', ...rest } = Object.fromEntries(led.searchParams);
    expect([led.origin + led.pathname, led.hash, rest]).toEqual([
      'https://app.example.com/reset',
      '',
      { from: 'mail' },
    ]);
    const thief = await post('token?grant_type=pkce', { auth_code: code, code_verifier: 'x'.repeat(56) });
    expect(thief).toMatchObject({ status: 400, json: { error_code: 'bad_code_verifier' } });
    const events: string[] = [];
    asking.auth.onAuthStateChange((event) => void events.push(event));
    const { data, error } = await asking.auth.exchangeCodeForSession(code);
    expect([error, data.user?.email]).toEqual([null, email]);
    await eventually('its listeners know', () => events.includes('PASSWORD_RECOVERY'));
    expect((await asking.auth.updateUser({ password: 'remembered from now on' })).error).toBeNull();
    const again = await post('token?grant_type=pkce', { auth_code: code, code_verifier: 'x'.repeat(56) });
    expect(again).toMatchObject({ status: 404, json: { error_code: 'flow_state_not_found' } });
  });

  it('requests a nonce, and changes the password with it', async () => {
    const { supabase, email } = await signUp();
    expect((await supabase.auth.reauthenticate()).error).toBeNull();
    const { text } = await mailbox.letterTo(email, 'Confirm that it is you');
    const nonce = /\r\n(\d{6})\r\n/.exec(text)?.[1] ?? '';
    const wrong = await supabase.auth.updateUser({ password: 'another good one', nonce: `${nonce}0` });
    expect(wrong.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
    expect((await supabase.auth.updateUser({ password: 'another good one', nonce })).error).toBeNull();
  });

  it.each<['local' | 'others' | 'global', boolean, boolean]>([
    ['local', false, true],
    ['others', true, false],
    ['global', false, false],
  ])('signs out with scope %s', async (scope, isSelfIn, isOtherIn) => {
    const { supabase, email } = await signUp();
    const other = await signedIn(email);
    expect((await supabase.auth.signOut({ scope })).error).toBeNull();
    expect([await isSignedIn(supabase), await isSignedIn(other)]).toEqual([isSelfIn, isOtherIn]);
  });

  it('notices that its session was ended elsewhere', async () => {
    const { supabase, email } = await signUp();
    await (await signedIn(email)).auth.signOut({ scope: 'global' });
    const { error } = await supabase.auth.getUser();
    expect(error).toMatchObject({ name: 'AuthSessionMissingError' });
    expect((await supabase.auth.getSession()).data.session).toBeNull();
  });

  it('lists identities and factors', async () => {
    const { supabase, email } = await signUp();
    const { data } = await supabase.auth.getUserIdentities();
    expect(data?.identities).toMatchObject([{ provider: 'email', identity_data: { email } }]);
    expect((await supabase.auth.mfa.listFactors()).data?.all).toEqual([]);
    const level = await supabase.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  });

  it.each<[string, number, string, (supabase: SupabaseClient) => Promise<{ error: unknown }>]>([
    ['anonymous', 422, 'anonymous_provider_disabled', ({ auth }) => auth.signInAnonymously()],
    ['a code by mail', 422, 'otp_disabled', ({ auth }) => auth.signInWithOtp({ email: newEmail() })],
    ['a code by phone', 400, 'phone_provider_disabled', ({ auth }) => auth.signInWithOtp({ phone: '+491' })],
    ['a phone', 400, 'phone_provider_disabled', ({ auth }) => auth.signUp({ phone: '+491', password })],
    [
      'a phone’s password',
      400,
      'phone_provider_disabled',
      ({ auth }) => auth.signInWithPassword({ phone: '+491', password }),
    ],
    [
      'an id token',
      400,
      'invalid_credentials',
      ({ auth }) => auth.signInWithIdToken({ provider: 'google', token: 'x' }),
    ],
    ['SSO', 404, 'saml_provider_disabled', ({ auth }) => auth.signInWithSSO({ domain: 'example.com' })],
    [
      'a second factor by phone',
      422,
      'mfa_phone_enroll_not_enabled',
      ({ auth }) => auth.mfa.enroll({ factorType: 'phone', phone: '+491' }),
    ],
    [
      'a linked identity',
      404,
      'manual_linking_disabled',
      ({ auth }) => auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } }),
    ],
    [
      'a code of a mail that has none',
      403,
      'otp_expired',
      ({ auth }) => auth.verifyOtp({ email: newEmail(), token: '123456', type: 'recovery' }),
    ],
  ])('refuses %s with %i %s', async (_what, status, code, ask) => {
    const { supabase } = await signUp();
    expect((await ask(supabase)).error).toMatchObject({ status, code });
  });

  it('supports no OAuth provider', async () => {
    const { data } = await client().auth.signInWithOAuth({
      provider: 'google',
      options: { skipBrowserRedirect: true },
    });
    const answer = await fetch(data.url ?? '', { redirect: 'manual' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        code: 400,
        error_code: 'validation_failed',
        msg: 'Unsupported provider: provider is not enabled',
        message: 'Unsupported provider: provider is not enabled',
      },
    ]);
  });
});
