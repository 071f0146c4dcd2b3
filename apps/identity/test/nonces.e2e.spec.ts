// A mailed nonce proves a recent sign-in once. A request that is refused for another reason does not use it up.

import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase } from '@practice/testing';
import { nonceHash } from '../src/users/mailed-tokens.js';
import { ended } from './archives.js';
import { enroll } from './mfa-accounts.js';
import { joined, signUp, type Person } from './people.js';

const admin = adminDatabase();

/** Stores a nonce, as if it had been mailed to the person. */
async function nonceOf({ id }: Person): Promise<string> {
  const nonce = String(randomInt(100_000, 1_000_000));
  await admin.query(
    `INSERT INTO identity.mailed_tokens (user_id, token_hash, purpose, expires_at)
     VALUES ($1, $2, 'reauthentication', now() + interval '10 minutes')`,
    [id, nonceHash(id, nonce)],
  );
  return nonce;
}

/** Makes the sessions of a person older than a recent sign-in. */
const age = ({ id }: Person): Promise<unknown> =>
  admin.query(
    `UPDATE identity.sessions SET created_at = now() - interval '11 minutes', second_factor_at = NULL WHERE user_id = $1`,
    [id],
  );

/** Calls a function with arguments that it refuses, and twice with valid ones, always with the same nonce. */
async function attempts(person: Person, name: string, given: { wrong: object; right: object }) {
  await age(person);
  const nonce = await nonceOf(person);
  const codes: (string | undefined)[] = [];
  for (const values of [given.wrong, given.right, given.right])
    codes.push((await person.supabase.rpc(name, { ...values, nonce })).error?.code);
  return codes;
}

const USED = 'reauthentication_not_valid';

describe('a nonce is not used up', () => {
  it('by scopes beyond the role', async () => {
    const reader = await joined(await signUp(), 'read_only');
    const [wrong, right] = [
      { name: 'x', scopes: ['clients:write'] },
      { name: 'x', scopes: ['clients:read'] },
    ];
    expect(await attempts(reader, 'create_token', { wrong, right })).toEqual([
      'insufficient_role',
      undefined,
      USED,
    ]);
  });

  it('by a calendar of a person who is no member', async () => {
    const wrong = { practitioner_id: randomUUID() };
    const codes = await attempts(await signUp(), 'create_calendar_link', { wrong, right: {} });
    expect(codes).toEqual(['PM404', undefined, USED]);
  });

  it.each([
    ['the caller', '42501', (owner: Person) => owner.id],
    ['a person who is no member', 'PM404', () => randomUUID()],
  ])('by a reset of the factors of %s', async (_who, code, wrongId) => {
    const owner = await signUp();
    const member = await joined(owner, 'therapist');
    await enroll(member);
    const [wrong, right] = [{ user_id: wrongId(owner) }, { user_id: member.id }];
    expect(await attempts(owner, 'reset_factors', { wrong, right })).toEqual([code, undefined, USED]);
  });

  it('by an export while another one runs', async () => {
    const owner = await signUp();
    await age(owner);
    const nonces = [await nonceOf(owner), await nonceOf(owner)];
    const exported = () =>
      Promise.all(nonces.map((nonce) => owner.supabase.rpc('export_practice', { nonce })));
    const codes = (await exported()).map(({ error }) => error?.code);
    expect(new Set(codes)).toEqual(new Set([undefined, 'PM014']));
    const { data } = await owner.supabase.from('exports').select('id').single();
    await ended(owner, (data as { id: string }).id);
    const unused = nonces[codes.indexOf('PM014')] as string;
    expect((await owner.supabase.rpc('export_practice', { nonce: unused })).error).toBeNull();
  });
});
