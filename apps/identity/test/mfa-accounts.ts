// Accounts with second factors, for specs with the real client.

import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { patientFetch, stack } from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { WebSocket } from 'ws';

export const password = 'correct horse battery';
const STEP_MS = 30_000;

export function client(): SupabaseClient {
  const { baseUrl, apikey } = stack();
  return createClient(baseUrl, apikey, {
    ...{ global: { fetch: patientFetch }, auth: { persistSession: false, autoRefreshToken: false } },
    realtime: { transport: WebSocket as never },
  });
}

export type Person = Awaited<ReturnType<typeof signUp>>;

export async function signUp(email = `person-${randomUUID()}@example.com`) {
  const supabase = client();
  const { data, error } = await supabase.auth.signUp({ email, password });
  expect(error).toBeNull();
  return { supabase, email, id: data.user?.id ?? '' };
}

/** Another sign-in of the same user, with the password. */
export async function signedIn(email: string): Promise<SupabaseClient> {
  const supabase = client();
  expect((await supabase.auth.signInWithPassword({ email, password })).error).toBeNull();
  return supabase;
}

/** A code of the app. Each code is accepted once, so a second code must be from the next step. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** An account with a verified authenticator app. */
export async function enrolled() {
  const account = await signUp();
  return { ...account, ...(await enroll(account)) };
}

/** Adds an authenticator app to an account, and verifies its first code. */
export async function enroll({ supabase }: Pick<Person, 'supabase'>) {
  const { mfa } = supabase.auth;
  const { data, error } = await mfa.enroll({ factorType: 'totp' });
  expect(error).toBeNull();
  const { id: factorId, totp } = data as { id: string; totp: { secret: string } };
  const verify = () => mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret, -1) });
  const first = await verify();
  // A step may end between the code and its check.
  const { error: wrong } = first.error?.code === 'mfa_verification_failed' ? await verify() : first;
  expect(wrong).toBeNull();
  return { factorId, secret: totp.secret };
}

export const tokenOf = async ({ auth }: SupabaseClient): Promise<string> =>
  (await auth.getSession()).data.session?.access_token ?? '';
export const claimsOf = async (supabase: SupabaseClient): Promise<Record<string, unknown>> =>
  JSON.parse(Buffer.from((await tokenOf(supabase)).split('.')[1] ?? '', 'base64url').toString()) as never;
export const levels = async ({ auth }: SupabaseClient): Promise<unknown> =>
  (await auth.mfa.getAuthenticatorAssuranceLevel()).data;
export const wrongCode = { status: 422, code: 'mfa_verification_failed' };
export const tooLow = { status: 403, code: 'insufficient_aal' };
