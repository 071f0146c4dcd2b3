// The security events of a practice, with the real client.

import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@practice/settings';
import { adminDatabase, auth, call, eventually, logOf, signIn } from '@practice/testing';
import { enroll, signedIn } from './mfa-accounts.js';
import { invite, joined, signUp, switchTo, tokenOf, type Person } from './people.js';

interface Listed {
  readonly kind: string;
  readonly user_id: string | null;
  readonly by_user_id: string | null;
  readonly session_id: string | null;
  readonly token_id: string | null;
  readonly address: string | null;
}

const admin = adminDatabase();

async function eventsOf({ supabase }: Person): Promise<Listed[]> {
  const { data, error } = await supabase.from('security_events').select().order('created_at').order('id');
  expect(error).toBeNull();
  return data as Listed[];
}

const kindsOf = async (owner: Person): Promise<string[]> => (await eventsOf(owner)).map(({ kind }) => kind);

const refused = (email: string) => signIn({ email, password: 'a wrong password' });

describe('security_events', () => {
  it('record sign-ins, and events of second factors, tokens and people, with person, session and address', async () => {
    const owner = await signUp();
    const { factorId } = await enroll(owner);
    const token = await tokenOf(owner);
    const made = await auth('POST', 'tokens', { token, body: { name: 'script' } });
    const { id: tokenId } = made.json as { id: string };
    await auth('DELETE', `tokens/${tokenId}`, { token });
    await owner.supabase.from('practices').update({ require_mfa: true }).eq('id', owner.id);
    await owner.supabase.from('practices').update({ require_mfa: false }).eq('id', owner.id);
    const membershipId = await invite(owner, `person-${owner.id}@example.com`);
    await owner.supabase.from('memberships').update({ role: 'billing' }).eq('id', membershipId);
    await owner.supabase.from('memberships').delete().eq('id', membershipId);
    await owner.supabase.rpc('create_recovery_codes');
    await owner.supabase.auth.mfa.unenroll({ factorId });
    const events = await eventsOf(owner);
    expect(events.map(({ kind }) => kind)).toEqual([
      'signed_in',
      'factor_enrolled',
      'second_factor_passed',
      'token_created',
      'token_revoked',
      'mfa_required',
      'mfa_no_longer_required',
      'member_invited',
      'member_role_changed',
      'member_removed',
      'recovery_codes_created',
      'factor_removed',
    ]);
    const { session_id: sessionId } = events[0] as Listed;
    expect(sessionId).toMatch(/^[\da-f-]{36}$/);
    for (const event of events)
      expect(event).toMatchObject({
        by_user_id: owner.id,
        session_id: sessionId,
        address: expect.stringMatching(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/),
      });
    expect(events.filter((event) => event.token_id === tokenId).map(({ kind }) => kind)).toEqual([
      'token_created',
      'token_revoked',
    ]);
    expect(JSON.stringify(events)).not.toMatch(/pat_|eyJ|example\.com/);
  });

  it('belong to the practice that a session acts in, and to no other', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'therapist');
    await signedIn(member.email);
    await switchTo(member, member.id);
    await member.supabase.auth.mfa.enroll({ factorType: 'totp' });
    await member.supabase.auth.signOut({ scope: 'local' });
    expect((await eventsOf(owner)).map(({ kind, user_id: user }) => [kind, user])).toEqual([
      ['signed_in', owner.id],
      ['member_invited', null],
      ['invitation_accepted', member.id],
      ['practice_entered', member.id],
      ['signed_in', member.id],
    ]);
    const home = await signedIn(member.email);
    const { data } = await home.from('security_events').select('kind').order('created_at');
    expect(data?.map(({ kind }: { kind: string }) => kind)).toEqual([
      'signed_in',
      'practice_entered',
      'factor_enrolled',
      'signed_out',
      'signed_in',
    ]);
  });

  it('include refused sign-ins, but at most ten in an hour', async () => {
    const owner = await signUp();
    const refusals = async (): Promise<number> =>
      (await kindsOf(owner)).filter((kind) => kind === 'sign_in_refused').length;
    for (let guess = 0; guess < 14; guess += 1) expect((await refused(owner.email)).status).not.toBe(200);
    await eventually('ten are recorded', async () => ((await refusals()) === 10 ? true : undefined));
    for (let guess = 0; guess < 4; guess += 1) await refused(owner.email);
    expect(await refusals()).toBe(10);
    const [refusal] = (await eventsOf(owner)).filter(({ kind }) => kind === 'sign_in_refused');
    expect(refusal).toMatchObject({ user_id: owner.id, by_user_id: null, session_id: null });
  });

  it('include refused codes of a second factor, with the session that has sent them', async () => {
    const owner = await signUp();
    const { factorId } = await enroll(owner);
    const { auth: thief } = await signedIn(owner.email);
    expect((await thief.mfa.challengeAndVerify({ factorId, code: '000000' })).error).not.toBeNull();
    const refusal = await eventually('the refusal is recorded', async () =>
      (await eventsOf(owner)).find(({ kind }) => kind === 'second_factor_refused'),
    );
    const { session_id: own } = (await eventsOf(owner))[0] as Listed;
    expect(refusal).toMatchObject({
      by_user_id: owner.id,
      session_id: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(refusal?.session_id).not.toBe(own);
  });

  it('do not include a malformed sign-in', async () => {
    const { headers, status } = await call('/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: {},
    });
    expect(status).toBe(400);
    const log = (): string => logOf('identity');
    await eventually('the call is in the log', () => log().includes(String(headers.get('x-request-id'))));
    const lines = log().split('\n');
    const failures = lines.filter((line) => line.includes('a refused sign-in was not recorded'));
    expect(failures.filter((line) => line.includes('missing email'))).toEqual([]);
  });

  it('can be read only by owners, with filters and pages, and written by no caller', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'therapist');
    const table = owner.supabase.from('security_events');
    const page = await table
      .select('kind', { count: 'exact' })
      .eq('user_id', member.id)
      .order('created_at')
      .range(0, 0);
    expect(page).toMatchObject({ count: 2, data: [{ kind: 'invitation_accepted' }] });
    expect((await member.supabase.from('security_events').select()).error).toMatchObject({ code: '42501' });
    const event = { kind: 'signed_in', user_id: owner.id };
    expect(await table.insert(event)).toMatchObject({ status: 405 });
    expect(await table.update({ kind: 'signed_out' }).eq('user_id', owner.id)).toMatchObject({ status: 405 });
    expect(await table.delete().eq('user_id', owner.id)).toMatchObject({ status: 405 });
  });

  it('do not prevent a practice that has used up its storage from removing a member', async () => {
    const owner = await signUp();
    const membershipId = await invite(owner, `person-${owner.id}@example.com`);
    await admin.query('UPDATE identity.practice_head SET bytes = $2 WHERE therapist_id = $1', [
      owner.id,
      readSettings({}).STORAGE_QUOTA_MB * 1_000_000,
    ]);
    const table = owner.supabase.from('memberships');
    expect(await table.update({ role: 'billing' }).eq('id', membershipId)).toMatchObject({ status: 507 });
    expect(await table.delete().eq('id', membershipId)).toMatchObject({ status: 204 });
    expect((await kindsOf(owner)).slice(-2)).toEqual(['member_invited', 'member_removed']);
  });

  it('name an owner who resets the second factors of a member', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'therapist');
    await enroll(member);
    await owner.supabase.rpc('reset_factors', { user_id: member.id });
    const [event] = (await eventsOf(owner)).slice(-1);
    expect(event).toMatchObject({ kind: 'factors_reset', user_id: member.id, by_user_id: owner.id });
  });
});
