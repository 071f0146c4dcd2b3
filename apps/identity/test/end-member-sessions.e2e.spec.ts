// An owner ends all sessions of a member, with the real client.

import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { adminDatabase, auth, readStatus } from '@practice/testing';
import { signedIn } from './mfa-accounts.js';
import { join, joined, signUp, switchTo, tokenOf } from './people.js';

const admin = adminDatabase();

/** Makes the time when a user's sessions left a practice longer ago than the lifetime of an access token. */
const longAgo = (userId: string, therapistId: string): Promise<unknown> =>
  admin.query(
    `UPDATE identity.sessions SET left_practices = jsonb_build_object($2::text, now() - interval '2 hours')
     WHERE user_id = $1 AND left_practices ? $2`,
    [userId, therapistId],
  );

it('end_member_sessions signs a member out at once, and only of this practice', async () => {
  const owner = await signUp();
  const member = await joined(owner, 'therapist');
  const [here, again] = [await tokenOf(member), { ...member, supabase: await signedIn(member.email) }];
  const elsewhere = { ...member, supabase: await signedIn(member.email) };
  await switchTo(elsewhere, member.id);
  await longAgo(member.id, owner.id);
  const made = await auth('POST', 'tokens', { token: here, body: { name: 'script' } });
  const { token: personal } = made.json as { token: string };
  const end = (by: typeof owner, userId: string) =>
    by.supabase.rpc('end_member_sessions', { user_id: userId });
  expect((await end(member, member.id)).error).toMatchObject({ code: '42501' });
  expect((await end(owner, randomUUID())).error).toMatchObject({ code: 'PM404' });
  expect((await end(owner, member.id)).data).toEqual({ user_id: member.id, ended: 2 });
  const tokens = [here, await tokenOf(again), await tokenOf(elsewhere), personal];
  expect(await Promise.all(tokens.map((token) => readStatus(token)))).toEqual([401, 401, 200, 200]);
  expect((await member.supabase.auth.refreshSession()).error).not.toBeNull();
  expect((await end(owner, member.id)).data).toEqual({ user_id: member.id, ended: 0 });
  const { data } = await owner.supabase.from('security_events').select('user_id').eq('kind', 'session_ended');
  expect(data).toEqual([{ user_id: member.id }]);
  expect((await (await signedIn(member.email)).from('clients').select()).error).toBeNull();
});

it('end_member_sessions ends sessions that have just left the practice: their tokens for it are still valid', async () => {
  const owner = await signUp();
  const member = await joined(owner, 'therapist');
  const stolen = await tokenOf(member);
  await switchTo(member, member.id);
  expect(await readStatus(stolen)).toBe(200);
  const { data } = await owner.supabase.rpc('end_member_sessions', { user_id: member.id });
  expect(data).toEqual({ user_id: member.id, ended: 1 });
  expect(await readStatus(stolen)).toBe(401);
  expect(await readStatus(await tokenOf(member))).toBe(401);
});

it('a member who was removed and joins again does not regain earlier tokens', async () => {
  const owner = await signUp();
  const member = await joined(owner, 'therapist');
  const [here, left] = [
    { ...member, supabase: await signedIn(member.email) },
    { ...member, supabase: await signedIn(member.email) },
  ];
  await switchTo(here, owner.id);
  await switchTo(left, owner.id);
  const tokens = [await tokenOf(here), await tokenOf(left)];
  await switchTo(left, member.id);
  expect(await Promise.all(tokens.map((token) => readStatus(token)))).toEqual([200, 200]);
  await owner.supabase.from('memberships').update({ status: 'removed' }).eq('user_id', member.id);
  const back = await join(owner, { ...member, supabase: await signedIn(member.email) }, 'therapist');
  expect(await readStatus(await tokenOf(back))).toBe(200);
  expect(await Promise.all(tokens.map((token) => readStatus(token)))).toEqual([401, 401]);
});
