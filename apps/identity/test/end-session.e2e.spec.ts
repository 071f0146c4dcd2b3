// A user ends one of several sessions, with the real client.

import { expect, it } from '@jest/globals';
import { adminDatabase, readStatus } from '@practice/testing';
import { password, signedIn, signUp, tokenOf } from './mfa-accounts.js';

const admin = adminDatabase();

it('end_session ends another session after a recent proof, and the session of the call without a proof', async () => {
  const { supabase, email } = await signUp();
  const [lost, stolen] = [await signedIn(email), await signedIn(email)];
  const tokens = [await tokenOf(lost), await tokenOf(stolen)];
  const { data: session } = await supabase.rpc('current_identity');
  const { session_id: own, user_id: userId } = session as { session_id: string; user_id: string };
  const idOf = async (one: typeof lost) =>
    ((await one.rpc('current_identity')).data as { session_id: string }).session_id;
  const [first, second] = [await idOf(lost), await idOf(stolen)];
  const end = (id: string, proof: object = {}) => supabase.rpc('end_session', { session_id: id, ...proof });
  expect((await end(first)).error).toBeNull();

  await admin.query(
    `UPDATE identity.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`,
    [userId],
  );
  expect((await end(second)).error).toMatchObject({ code: 'reauthentication_needed' });
  expect((await end(second, { current_password: 'wrong' })).error).toMatchObject({
    code: 'current_password_invalid',
  });
  expect(await Promise.all(tokens.map((token) => readStatus(token)))).toEqual([401, 200]);
  expect((await end(second, { current_password: password })).error).toBeNull();
  expect(await readStatus(tokens[1] ?? '')).toBe(401);
  expect((await end(own.toUpperCase())).error).toBeNull();
  expect((await supabase.rpc('current_identity')).error).toMatchObject({ code: 'PGRST303' });
});
