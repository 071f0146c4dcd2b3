// An owner resets the second factors of a member, with the real client.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, eventually, logOf, readStatus } from '@practice/testing';
import { enroll, password, signedIn } from './mfa-accounts.js';
import { claimsOf, join, joined, signUp, tokenOf, type Member, type Person } from './people.js';

const admin = adminDatabase();

const reset = (by: Person, { id }: Pick<Person, 'id'>, proof: object = {}) =>
  by.supabase.rpc('reset_factors', { user_id: id, ...proof });

const switched = ({ supabase }: Pick<Person, 'supabase'>, therapistId: string) =>
  supabase.rpc('switch_practice', { therapist_id: therapistId });

/** The member in a new session, signed in with the password. */
const again = async (member: Person): Promise<Person> => ({
  ...member,
  supabase: await signedIn(member.email),
});

async function memberWithFactor(owner: Person, role = 'therapist'): Promise<Member> {
  const member = await joined(owner, role);
  await enroll(member);
  return member;
}

const heldPractices = async ({ supabase }: Person): Promise<unknown[]> => {
  const { data } = await supabase.rpc('my_practices').eq('is_held', true).select('therapist_id');
  return (data as { therapist_id: string }[]).map(({ therapist_id: id }) => id);
};

describe('reset_factors', () => {
  it('removes factors, retires codes, signs the member out, and informs both', async () => {
    const owner = await signUp();
    const member = await memberWithFactor(owner);
    expect((await member.supabase.rpc('create_recovery_codes')).error).toBeNull();
    const token = await tokenOf(member);
    const personal = (await auth('POST', 'tokens', { token, body: { name: 'script' } })).json;
    expect(await readStatus(token)).toBe(200);
    expect((await reset(owner, member)).data).toEqual({ user_id: member.id, outcome: 'reset' });
    expect(await readStatus(token)).toBe(401);
    expect((await member.supabase.auth.refreshSession()).error).not.toBeNull();
    const { rows } = await admin.query(
      `SELECT 1 FROM identity.recovery_codes WHERE user_id = $1 AND retired_at IS NULL
       UNION ALL SELECT 1 FROM identity.mfa_factors WHERE user_id = $1`,
      [member.id],
    );
    expect(rows).toEqual([]);
    const back = await again(member);
    const claims = await claimsOf(back);
    expect(claims).toMatchObject({ therapist_id: owner.id, aal: 'aal1' });
    expect(claims).not.toHaveProperty('required_aal');
    expect((await back.supabase.from('clients').select()).error).toBeNull();
    // A script does not sign in: its token was made with the second factor.
    expect(await readStatus((personal as { token: string }).token)).toBe(200);
    const log = (): string => logOf('identity');
    await eventually(
      'both are informed',
      () =>
        log().includes(`${owner.email}, an owner of your practice, has removed`) &&
        log().includes(`removed the second factors of the member ${member.email}`),
    );
  });

  it('lets the member into only the practice of the owner: others are held until an owner there agrees', async () => {
    const [owner, second] = [await signUp(), await signUp()];
    const member = await join(second, await memberWithFactor(owner), 'therapist');
    expect(await claimsOf(member)).toMatchObject({ therapist_id: second.id });
    expect((await reset(owner, member)).error).toBeNull();
    const back = await again(member);
    // The last switch was to the second practice, which is held now.
    expect(await claimsOf(back)).toMatchObject({ therapist_id: owner.id });
    expect((await heldPractices(back)).sort()).toEqual([member.id, second.id].sort());
    for (const held of [second.id, member.id])
      expect((await switched(back, held)).error).toMatchObject({ code: '42501' });
    await enroll(back);
    // A factor that was added after the reset proves nothing to other practices.
    expect((await switched(back, second.id)).error).toMatchObject({ code: '42501' });
    expect((await reset(second, member)).data).toMatchObject({ outcome: 'released' });
    expect((await back.supabase.auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await switched(back, second.id)).error).toBeNull();
    expect(await heldPractices(back)).toEqual([member.id]);
  });

  it('holds a practice whose only owner is the member for seven days', async () => {
    const owner = await signUp();
    const member = await memberWithFactor(owner);
    expect((await reset(owner, member)).error).toBeNull();
    const back = await again(member);
    const { rows } = await admin.query<{ days: number }>(
      `SELECT round(extract(epoch FROM held_until - now()) / 86400)::int AS days FROM identity.access
       WHERE user_id = $1 AND therapist_id = $1`,
      [member.id],
    );
    expect(rows).toEqual([{ days: 7 }]);
    expect((await switched(back, member.id)).error).toMatchObject({ code: '42501' });
    await admin.query('UPDATE identity.access SET held_until = now() WHERE user_id = $1', [member.id]);
    expect((await switched(back, member.id)).error).toBeNull();
  });

  it.each([
    ['leaves', { status: 'removed' }],
    ['loses the role', { role: 'therapist' }],
  ])('ends a hold after seven days if the last other owner %s', async (_, change) => {
    const [owner, second] = [await signUp(), await signUp()];
    const member = await join(second, await memberWithFactor(owner), 'owner');
    expect((await reset(owner, member)).error).toBeNull();
    const heldDays = async (): Promise<unknown> => {
      const { rows } = await admin.query(
        `SELECT CASE WHEN held_until = 'infinity' THEN 'for ever' ELSE round(extract(epoch FROM held_until - now()) / 86400)::text END AS days
         FROM identity.access WHERE user_id = $1 AND therapist_id = $2`,
        [member.id, second.id],
      );
      return (rows as { days: string }[])[0]?.days;
    };
    expect(await heldDays()).toBe('for ever');
    const left = await second.supabase
      .from('memberships')
      .update(change)
      .eq('user_id', second.id)
      .select('id');
    expect(left).toMatchObject({ error: null, data: [{}] });
    expect(await heldDays()).toBe('7');
  });

  it('ends a hold after seven days if every other owner is held too', async () => {
    const [owner, shared] = [await signUp(), await signUp()];
    const [one, two] = [await memberWithFactor(owner), await memberWithFactor(owner)];
    await join(shared, one, 'owner');
    await join(shared, two, 'owner');
    const { error } = await shared.supabase
      .from('memberships')
      .update({ status: 'removed' })
      .eq('user_id', shared.id);
    expect(error).toBeNull();
    for (const member of [one, two]) expect((await reset(owner, member)).error).toBeNull();
    const { rows } = await admin.query(
      `SELECT count(*) FILTER (WHERE held_until < 'infinity')::int AS limited FROM identity.access WHERE therapist_id = $1 AND role = 'owner'`,
      [shared.id],
    );
    expect(rows).toEqual([{ limited: 1 }]);
  });

  it('holds no practice that the resetting owner owns too', async () => {
    const [owner, second] = [await signUp(), await signUp()];
    const member = await join(second, await memberWithFactor(owner), 'therapist');
    await join(second, owner, 'owner');
    expect((await reset(owner, member)).error).toBeNull();
    const back = await again(member);
    expect(await heldPractices(back)).toEqual([member.id]);
    expect(await claimsOf(back)).toMatchObject({ therapist_id: second.id });
  });

  it('needs an owner, a recent sign-in, and a member with a second factor', async () => {
    const owner = await signUp();
    const [member, plain] = [await memberWithFactor(owner), await joined(owner, 'therapist')];
    const stranger = await signUp();
    await enroll(stranger);
    expect((await reset(plain, member)).error).toMatchObject({ code: '42501' });
    expect((await reset(owner, owner)).error).toMatchObject({ code: '42501' });
    for (const id of [plain.id, stranger.id, randomUUID()])
      expect(await reset(owner, { id })).toMatchObject({ status: 404, error: { code: 'PM404' } });
    await admin.query(
      `UPDATE identity.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [owner.id],
    );
    expect((await reset(owner, member)).error).toMatchObject({ code: 'reauthentication_needed' });
    expect((await reset(owner, member, { current_password: 'wrong' })).error).not.toBeNull();
    const { data } = await reset(owner, member, { current_password: password });
    expect(data).toMatchObject({ outcome: 'reset' });
  });
});
