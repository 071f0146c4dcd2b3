// A person whose second factors an owner of one practice has reset gets back into the other practices without waiting.

import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, call, eventually, invitationToken, logOf, readStatus } from '@practice/testing';
import { enroll, signedIn } from './mfa-accounts.js';
import { claimsOf, invite, join, joined, signUp, tokenOf, type Person } from './people.js';

const admin = adminDatabase();

const reset = async (by: Person, { id }: Pick<Person, 'id'>): Promise<void> => {
  const { data } = await by.supabase.rpc('reset_factors', { user_id: id });
  expect(data).toMatchObject({ outcome: 'reset' });
};

const enter = ({ supabase }: Person, therapistId: string, proof: object = {}) =>
  supabase.rpc('switch_practice', { therapist_id: therapistId, ...proof });

const again = async (member: Person): Promise<Person> => ({
  ...member,
  supabase: await signedIn(member.email),
});

const codesOf = async ({ supabase }: Person): Promise<string[]> => {
  const { data, error } = await supabase.rpc('create_recovery_codes');
  expect(error).toBeNull();
  return (data as { code: string }[]).map(({ code }) => code);
};

/** The code that was mailed to the person: the code among all mails whose hash is stored. */
async function mailedCode(person: Person): Promise<string> {
  expect((await person.supabase.auth.reauthenticate()).error).toBeNull();
  const { rows } = await admin.query<{ hash: string }>(
    `SELECT token_hash AS hash FROM identity.mailed_tokens WHERE user_id = $1 AND purpose = 'reauthentication'`,
    [person.id],
  );
  const isTheirs = (code: string): boolean =>
    rows.some(({ hash }) => hash === createHash('sha256').update(`${person.id} ${code}`).digest('base64url'));
  const found = await eventually('the code is mailed', () =>
    [...logOf('identity').matchAll(/\\n(\d{6})\\n/g)].map(([, code]) => code as string).find(isTheirs),
  );
  return found as string;
}

/** An owner, and a member with a second factor and an own practice. */
async function ownerAndMember(): Promise<{ owner: Person; member: Person }> {
  const [owner, member] = [await signUp(), await signUp()];
  await enroll(member);
  await join(owner, member, 'therapist');
  return { owner, member };
}

const held = { code: '42501', message: expect.stringContaining('is held') };

describe('a person whose factors were reset', () => {
  it('enters the own practice with a mailed code, and needs a new code after each reset', async () => {
    const { owner, member } = await ownerAndMember();
    await reset(owner, member);
    const back = await again(member);
    expect((await enter(back, member.id)).error).toMatchObject(held);
    const wrong = await enter(back, member.id, { nonce: 'x' });
    expect(wrong).toMatchObject({ status: 422, error: { code: 'reauthentication_not_valid' } });
    // A stranger may know the password, so it proves nothing here.
    const password = await enter(back, member.id, { current_password: 'correct horse battery' });
    expect(password.error).toMatchObject({ code: 'PGRST202' });
    expect((await enter(back, member.id)).error).toMatchObject(held);
    const nonce = await mailedCode(back);
    expect((await enter(back, member.id, { nonce })).error).toBeNull();
    await back.supabase.auth.refreshSession();
    expect(await claimsOf(back)).toMatchObject({ therapist_id: member.id });
    const { data: events } = await back.supabase
      .from('security_events')
      .select('by_user_id')
      .eq('kind', 'access_released');
    expect(events).toEqual([{ by_user_id: member.id }]);
    await enroll(back);
    await reset(owner, member);
    expect((await enter(await again(member), owner.id)).error).toBeNull();
    expect((await enter(await again(member), member.id, { nonce })).error).toMatchObject({
      code: 'reauthentication_not_valid',
    });
  });

  it('has ten guesses at the mailed code within minutes, in all sessions together', async () => {
    const { owner, member } = await ownerAndMember();
    await reset(owner, member);
    const guess = async () => (await enter(await again(member), member.id, { nonce: 'x' })).status;
    for (let guessed = 0; guessed < 10; guessed += 1) expect(await guess()).toBe(422);
    expect(await guess()).toBe(429);
  });

  it('enters with an earlier recovery code, which no longer passes a second factor', async () => {
    const { owner, member } = await ownerAndMember();
    const [first = '', second = ''] = await codesOf(member);
    await reset(owner, member);
    const back = await again(member);
    const { factorId } = await enroll(back);
    const instead = await (
      await again(member)
    ).supabase.auth.mfa.challengeAndVerify({ factorId, code: first });
    expect(instead.error).toMatchObject({ code: 'mfa_verification_failed' });
    const entered = await enter(back, member.id, { recovery_code: first });
    expect(entered.error).toBeNull();
    expect((await enter(back, member.id, { recovery_code: second })).error).toBeNull();
  });

  it('can use a recovery code only once, and no code that was made after the reset', async () => {
    const { owner, member } = await ownerAndMember();
    const other = await signUp();
    await join(other, member, 'therapist');
    const [first = ''] = await codesOf(member);
    await reset(owner, member);
    const thief = await again(member);
    await enroll(thief);
    expect((await enter(thief, member.id, { recovery_code: first })).error).toBeNull();
    expect((await enter(thief, other.id, { recovery_code: first })).error).toMatchObject({
      code: 'mfa_verification_failed',
    });
    const [fresh = '', late = ''] = await codesOf(thief);
    const refused = await enter(thief, other.id, { recovery_code: fresh });
    expect(refused).toMatchObject({ status: 422, error: { code: 'mfa_verification_failed' } });
    // The owner resets again, so the codes of the thief are from before that reset, but not from before the hold.
    await enter(thief, owner.id);
    await reset(owner, member);
    expect((await enter(await again(member), other.id, { recovery_code: late })).error).toMatchObject({
      code: 'mfa_verification_failed',
    });
  });

  it('keeps tokens, and sessions elsewhere that have passed the factor, but no session with only the password', async () => {
    const [owner, member] = [await signUp(), await signUp()];
    await enroll(member);
    const made = await auth('POST', 'tokens', { token: await tokenOf(member), body: { name: 'script' } });
    const personal = (made.json as { token: string }).token;
    const pending = await again(member);
    const token = await invitationToken(await invite(owner, member.email, 'therapist'));
    expect((await member.supabase.rpc('accept_invitation', { token })).error).toBeNull();
    await reset(owner, member);
    expect(await readStatus(await tokenOf(member))).toBe(200);
    expect((await member.supabase.auth.refreshSession()).error).toBeNull();
    expect(await claimsOf(member)).toMatchObject({ therapist_id: member.id, aal: 'aal2' });
    expect(await readStatus(personal)).toBe(200);
    expect((await pending.supabase.auth.refreshSession()).error).not.toBeNull();
  });
});

describe('leave_practice', () => {
  const leave = ({ supabase }: Person, proof: object = {}) => supabase.rpc('leave_practice', proof);

  it.each(['therapist', 'front_desk', 'billing', 'read_only'])(
    'a member with the role %s leaves',
    async (role) => {
      const owner = await signUp();
      const member = await joined(owner, role);
      const token = await tokenOf(member);
      const made = await auth('POST', 'tokens', { token, body: { name: 'script' } });
      const personal = (made.json as { token: string }).token;
      expect(await leave(member)).toMatchObject({ error: null, data: { therapist_id: owner.id } });
      for (const each of [token, personal]) expect(await readStatus(each)).toBe(401);
      const { data } = await owner.supabase
        .from('memberships')
        .select('status')
        .eq('id', member.membershipId);
      expect(data).toEqual([{ status: 'removed' }]);
      const gone = await owner.supabase.rpc('reset_factors', { user_id: member.id });
      expect(gone).toMatchObject({ status: 404, error: { code: 'PM404' } });
      expect(await claimsOf(await again(member))).toMatchObject({ therapist_id: member.id });
      const { data: events } = await owner.supabase
        .from('security_events')
        .select('user_id,by_user_id')
        .eq('kind', 'member_removed');
      expect(events).toEqual([{ user_id: member.id, by_user_id: member.id }]);
    },
  );

  it('needs a recent sign-in and a session, even in a closed practice', async () => {
    const owner = await signUp();
    const member = await joined(owner, 'therapist');
    const made = await auth('POST', 'tokens', {
      token: await tokenOf(member),
      body: { name: 'script' },
    });
    const { token } = made.json as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    const byToken = await call('/rest/v1/rpc/leave_practice', { method: 'POST', body: {}, headers });
    expect(byToken.status).toBe(403);
    await admin.query(
      `UPDATE identity.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [member.id],
    );
    expect((await leave(member)).error).toMatchObject({ code: 'reauthentication_needed' });
    const closed = await owner.supabase.rpc('close_practice', { name: 'My practice' });
    expect(closed.error).toBeNull();
    const left = await leave(member, { current_password: 'correct horse battery' });
    expect(left.error).toBeNull();
  });

  it('is refused for the last owner, and for one of two owners who leave at the same time', async () => {
    const owner = await signUp();
    expect(await leave(owner)).toMatchObject({ status: 409, error: { code: 'PM009' } });
    const second = await joined(owner, 'owner');
    const outcomes = await Promise.all([leave(owner), leave(second)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
