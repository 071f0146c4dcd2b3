// Recovery codes with the real client: each replaces the code of an authenticator app once.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, call } from '@practice/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import { claimsOf, enrolled, password, signedIn, signUp, tokenOf, wrongCode } from './mfa-accounts.js';

const admin = adminDatabase();

describe('recovery codes', () => {
  const create = async (supabase: SupabaseClient, proof: object = {}) =>
    supabase.rpc('create_recovery_codes', proof);

  it('are ten, and each replaces a code of the app once', async () => {
    const { supabase, email, factorId } = await enrolled();
    const { data, error } = await create(supabase);
    expect(error).toBeNull();
    const codes = (data as { code: string }[]).map(({ code }) => code);
    expect(new Set(codes).size).toBe(10);
    const [first = '', second = ''] = codes;
    expect(first).toMatch(/^[\da-f]{4}(-[\da-f]{4}){7}$/);
    const session = await signedIn(email);
    const recovered = await session.auth.mfa.challengeAndVerify({ factorId, code: first.toUpperCase() });
    expect(recovered.error).toBeNull();
    expect(await claimsOf(session)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/recovery_code' }, {}],
    });
    const again = await (await signedIn(email)).auth.mfa.challengeAndVerify({ factorId, code: first });
    expect(again.error).toMatchObject(wrongCode);
    const { rows } = await admin.query('SELECT r::text AS row FROM identity.recovery_codes r');
    expect(JSON.stringify(rows)).not.toContain(second.replaceAll('-', ''));
    // The response is not stored for a repeated call either.
    const keyed = await call('/rest/v1/rpc/create_recovery_codes', {
      ...{ method: 'POST', body: {} },
      headers: { authorization: `Bearer ${await tokenOf(supabase)}`, 'idempotency-key': randomUUID() },
    });
    const [kept] = keyed.json as { code: string }[];
    expect(kept?.code).toHaveLength(39);
    const stored = await admin.query('SELECT 1 FROM identity.idempotency i WHERE i::text LIKE $1', [
      `%${kept?.code}%`,
    ]);
    expect(stored.rows).toEqual([]);
    // New codes replace the earlier codes.
    expect((await create(supabase)).error).toBeNull();
    const old = await (await signedIn(email)).auth.mfa.challengeAndVerify({ factorId, code: second });
    expect(old.error).toMatchObject(wrongCode);
  });

  it('need a second factor, and a session that has passed it recently', async () => {
    const without = await signUp();
    expect((await create(without.supabase)).error).toMatchObject({ code: 'mfa_factor_not_found' });
    const { supabase, email } = await enrolled();
    expect((await create(await signedIn(email))).error).toMatchObject({ code: 'insufficient_aal' });
    await admin.query(
      `UPDATE identity.sessions SET created_at = now() - interval '11 minutes',
         second_factor_at = now() - interval '11 minutes'
       WHERE user_id = (SELECT user_id FROM identity.credentials WHERE email = $1)`,
      [email],
    );
    expect((await create(supabase)).error).toMatchObject({ code: 'reauthentication_needed' });
    expect((await create(supabase, { current_password: 'wrong' })).error).toMatchObject({
      code: 'current_password_invalid',
    });
    expect((await create(supabase, { current_password: password })).data).toHaveLength(10);
  });
});
