// A practice that requires a second factor, with the real client and a second gateway.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, call, stack } from '@practice/testing';
import pg from 'pg';
import { enroll, signedIn, tokenOf as tokenIn, tooLow } from './mfa-accounts.js';
import { claimsOf, joined, signUp, switchTo, tokenOf, within, type Person } from './people.js';

let other: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
beforeAll(async () => {
  other = await stack().spawnProcess('gateway');
});
afterAll(() => other.stop());

const read = async (token: string, origin?: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await call('/rest/v1/clients', { headers, ...(origin !== undefined && { origin }) })).status;
};

/** Expects that a read has this status in every gateway within a second. */
const readsSoon = async (token: string, status: number): Promise<void> => {
  for (const origin of [undefined, other.origin])
    await within(1000, async () => expect(await read(token, origin)).toBe(status));
};

async function personalToken(person: Person): Promise<string> {
  const made = await auth('POST', 'tokens', { token: await tokenOf(person), body: { name: 'script' } });
  return (made.json as { token: string }).token;
}

const require = ({ supabase, id }: Person, isRequired: boolean) =>
  supabase.from('practices').update({ require_mfa: isRequired }).eq('id', id).select('require_mfa');

/** An owner with a second factor, whose practice does not require it yet. */
async function ownerWithFactor(): Promise<Person> {
  const owner = await signUp();
  await enroll(owner);
  return owner;
}

/** Removes a person's access to the own practice but not the sessions, like a removal at the same time as a refresh. */
async function leaveHome({ id }: Person): Promise<void> {
  const admin = new pg.Client({ connectionString: stack().adminDatabaseUrl });
  await admin.connect();
  try {
    const sql = 'UPDATE identity.access SET role = NULL WHERE user_id = $1 AND therapist_id = $1';
    expect((await admin.query(sql, [id])).rowCount).toBe(1);
  } finally {
    await admin.end();
  }
}

describe('require_mfa', () => {
  it('is changed only by a session that has passed a second factor', async () => {
    const owner = await signUp();
    const personal = await personalToken(owner);
    const patch = async (token: string, isRequired: boolean) =>
      call(`/rest/v1/practices?id=eq.${owner.id}&select=require_mfa`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, prefer: 'return=representation' },
        body: { require_mfa: isRequired },
      });
    expect(await require(owner, true)).toMatchObject({ status: 403, error: { code: 'insufficient_aal' } });
    expect(await patch(personal, true)).toMatchObject({ status: 403, json: { code: 'insufficient_aal' } });
    expect((await owner.supabase.from('practices').select('require_mfa')).data).toEqual([
      { require_mfa: false },
    ]);
    await enroll(owner);
    expect((await require(owner, true)).data).toEqual([{ require_mfa: true }]);
    // The token of a member with a second factor still works, but cannot lower the requirement.
    expect(await read(personal)).toBe(200);
    expect(await patch(personal, false)).toMatchObject({ status: 403, json: { code: 'insufficient_aal' } });
    expect((await require(owner, false)).data).toEqual([{ require_mfa: false }]);
  });

  it('ends sessions without a second factor, in this practice only', async () => {
    const owner = await ownerWithFactor();
    const [weak, strong] = [await joined(owner, 'therapist'), await joined(owner, 'therapist')];
    await enroll(strong);
    const [weakToken, strongToken] = [await tokenOf(weak), await tokenOf(strong)];
    const personal = { weak: await personalToken(weak), strong: await personalToken(strong) };
    const elsewhere = await signedIn(weak.email);
    const left = await tokenIn(elsewhere);
    await elsewhere.rpc('switch_practice', { therapist_id: weak.id });
    await elsewhere.auth.refreshSession();
    const home = await tokenIn(elsewhere);
    for (const token of [weakToken, strongToken, personal.weak, personal.strong, left, home])
      for (const origin of [undefined, other.origin]) expect(await read(token, origin)).toBe(200);
    expect((await require(owner, true)).error).toBeNull();
    await readsSoon(weakToken, 401);
    await readsSoon(personal.weak, 401);
    // The session has left the practice before. Its earlier token is refused too.
    await readsSoon(left, 403);
    for (const token of [strongToken, personal.strong, home]) await readsSoon(token, 200);
    expect((await weak.supabase.auth.refreshSession()).error).not.toBeNull();
    expect((await strong.supabase.auth.refreshSession()).error).toBeNull();
    expect((await elsewhere.auth.refreshSession()).error).toBeNull();
  });

  it('permits a member without a factor only the calls that add one, after a sign-in, refresh or switch', async () => {
    const owner = await ownerWithFactor();
    expect((await require(owner, true)).error).toBeNull();
    const email = (await joined(owner, 'front_desk')).email;
    const supabase = await signedIn(email);
    const person = { supabase, email, id: '' };
    const claims = await claimsOf(person);
    expect(claims).toMatchObject({ therapist_id: owner.id, aal: 'aal1', required_aal: 'aal2' });
    const refused = [
      await supabase.from('clients').select(),
      await supabase.rpc('my_practices'),
      await supabase.rpc('switch_practice', { therapist_id: String(claims['sub']) }),
    ];
    for (const { error } of refused) expect(error).toMatchObject({ code: 'insufficient_aal' });
    expect((await supabase.auth.updateUser({ data: { full_name: 'Ed' } })).error).toMatchObject(tooLow);
    expect((await supabase.auth.refreshSession()).error).toBeNull();
    expect(await claimsOf(person)).toMatchObject({ required_aal: 'aal2' });
    expect((await supabase.auth.getUser()).error).toBeNull();
    await enroll(person);
    expect(await claimsOf(person)).toMatchObject({ aal: 'aal2', required_aal: 'aal2' });
    expect((await supabase.from('clients').select()).error).toBeNull();
    expect((await supabase.rpc('my_practices')).error).toBeNull();
  });

  it('applies to a session that enters the practice, until it is lifted', async () => {
    const owner = await ownerWithFactor();
    const person = await joined(owner, 'billing');
    await switchTo(person, person.id);
    expect((await require(owner, true)).error).toBeNull();
    expect(await read(await tokenOf(person))).toBe(200);
    await switchTo(person, owner.id);
    expect(await read(await tokenOf(person))).toBe(403);
    expect((await require(owner, false)).error).toBeNull();
    expect((await person.supabase.auth.refreshSession()).error).toBeNull();
    expect(await read(await tokenOf(person))).toBe(200);
  });

  it('applies to a session that moves into the practice because its user has left the other practice', async () => {
    const owner = await ownerWithFactor();
    const person = await joined(owner, 'therapist');
    await switchTo(person, person.id);
    expect((await require(owner, true)).error).toBeNull();
    await leaveHome(person);
    expect((await person.supabase.auth.refreshSession()).error).toBeNull();
    const claims = await claimsOf(person);
    expect(claims).toMatchObject({ therapist_id: owner.id, aal: 'aal1', required_aal: 'aal2' });
    expect(await read(await tokenOf(person))).toBe(403);
  });

  it('leaves no session without a factor, even with sign-ins at the same time', async () => {
    const owner = await ownerWithFactor();
    const { email } = await joined(owner, 'therapist');
    const signIns = Array.from({ length: 4 }, () => signedIn(email));
    const [, changed] = await Promise.all([
      Promise.all(signIns),
      Promise.race(signIns).then(() => require(owner, true)),
    ]);
    expect(changed.error).toBeNull();
    for (const session of await Promise.all(signIns))
      await within(1000, async () => expect(await read(await tokenIn(session))).not.toBe(200));
  });

  it('refuses the personal tokens of a member who removes the last factor', async () => {
    const owner = await ownerWithFactor();
    const person = await joined(owner, 'therapist');
    const { factorId } = await enroll(person);
    expect((await require(owner, true)).error).toBeNull();
    const personal = await personalToken(person);
    expect((await person.supabase.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect(await read(personal)).toBe(401);
  });
});
