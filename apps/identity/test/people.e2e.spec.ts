// The people of a practice, with the real client and a second gateway: they are invited, join, switch, change and are removed.

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, call, eventually, invitationToken, patient, stack } from '@practice/testing';
import pg from 'pg';
import { password, signedIn } from './mfa-accounts.js';
import { claimsOf, invite, joined, signUp, switchTo, tokenOf, within, type Person } from './people.js';

let other: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
const admin = adminDatabase();
beforeAll(async () => {
  other = await stack().spawnProcess('gateway');
});
afterAll(async () => {
  await other.stop();
});

const readWith = async (token: string, path: string, origin?: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await patient(() => call(`/rest/v1/${path}`, { headers, origin }))).status;
};

/** Waits until at least this number of sessions wait for the locks of the admin, or for a session that waits for them. */
const waiting = (count: number): Promise<unknown> =>
  eventually(`${count} sessions wait`, async () => {
    const { rows } = await admin.query(
      `WITH RECURSIVE waiting AS (SELECT pg_backend_pid() AS pid UNION
         SELECT l.pid FROM pg_locks AS l JOIN waiting AS w ON w.pid = ANY (pg_blocking_pids(l.pid)) WHERE NOT l.granted)
       SELECT FROM waiting`,
    );
    return rows.length > count;
  });

describe('signing up', () => {
  it('creates a user, a practice and a membership as its owner', async () => {
    const owner = await signUp();
    const { data: members } = await owner.supabase.from('memberships').select();
    expect(members).toMatchObject([
      { therapist_id: owner.id, user_id: owner.id, email: owner.email, role: 'owner', status: 'active' },
    ]);
    const { data: practices } = await owner.supabase.from('practices').select();
    expect(practices).toMatchObject([{ id: owner.id, name: 'My practice', require_mfa: false }]);
    expect(await claimsOf(owner)).toMatchObject({ therapist_id: owner.id, role_in_practice: 'owner' });
  });

  it('creates a practice that owners can change, and that callers can neither create nor delete', async () => {
    const owner = await signUp();
    const { supabase } = owner;
    const changed = await supabase
      .from('practices')
      .update({ name: 'Calm' })
      .eq('therapist_id', owner.id)
      .select('name');
    expect(changed.data).toEqual([{ name: 'Calm' }]);
    expect(await supabase.from('practices').insert({ name: 'Second' })).toMatchObject({ status: 405 });
    expect(await supabase.from('practices').delete().eq('id', owner.id)).toMatchObject({ status: 405 });
    const address = await supabase.from('practices').update({ email: 'x@example.com' }).eq('id', owner.id);
    expect(address.error).toMatchObject({ code: '428C9' });
  });
});

describe('an invited person', () => {
  it('follows the link, signs up, accepts, and works with the rights of the role', async () => {
    const owner = await signUp();
    await owner.supabase.from('clients').insert({ name: 'Ada Lovelace' });
    const person = await joined(owner, 'front_desk');
    expect(await claimsOf(person)).toMatchObject({ therapist_id: owner.id, role_in_practice: 'front_desk' });
    const { data: clients } = await person.supabase.from('clients').select('name');
    expect(clients).toEqual([{ name: 'Ada Lovelace' }]);
    expect((await person.supabase.from('sessions').select()).error).toMatchObject({ code: '42501' });
    const invited = await person.supabase
      .from('memberships')
      .insert({ email: 'x@example.com', role: 'owner' });
    expect(invited.error).toMatchObject({ code: '42501' });
    const { data: practices } = await person.supabase.rpc('my_practices');
    expect(practices).toHaveLength(2);
    await switchTo(person, person.id);
    expect((await person.supabase.from('clients').select('name')).data).toEqual([]);
    // A later sign-in begins in the practice of the last switch.
    await switchTo(person, owner.id);
    await person.supabase.auth.signInWithPassword({ email: person.email, password });
    expect(await claimsOf(person)).toMatchObject({ therapist_id: owner.id, role_in_practice: 'front_desk' });
  });

  it('needs the account of the invited address and an open token', async () => {
    const [owner, stranger] = [await signUp(), await signUp()];
    const email = `person-${randomUUID()}@example.com`;
    const membershipId = await invite(owner, email, 'therapist');
    const token = await invitationToken(membershipId);
    const accept = (person: Person, given = token) =>
      person.supabase.rpc('accept_invitation', { token: given });
    expect((await accept(stranger)).error).toMatchObject({ code: '42501' });
    expect((await accept(stranger, 'x')).error).toMatchObject({ code: 'PM013' });
    const person = await signUp(email);
    const both = await Promise.all([accept(person), accept(person)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await accept(person)).error).toMatchObject({ code: 'PM013' });
    expect((await stranger.supabase.rpc('switch_practice', { therapist_id: owner.id })).error).toMatchObject({
      code: '42501',
    });
    expect(
      (await stranger.supabase.rpc('switch_practice', { therapist_id: randomUUID() })).error,
    ).toMatchObject({ code: '42501' });
  });

  it('joins while the inviting person accepts another invitation at the same moment', async () => {
    const pairs = await Promise.all(Array.from({ length: 3 }, () => Promise.all([signUp(), signUp()])));
    const guests = pairs.flatMap(([one, two]) => [
      { guest: one, host: two },
      { guest: two, host: one },
    ]);
    const tokens = await Promise.all(
      guests.map(async ({ guest, host }) => invitationToken(await invite(host, guest.email))),
    );
    // All acceptances wait for the lock of their guest's practice, and then lock the host's practice at the same moment.
    await admin.query('BEGIN');
    await admin.query(
      'SELECT 1 FROM identity.practice_head WHERE therapist_id = ANY ($1::uuid[]) FOR UPDATE',
      [guests.map(({ guest }) => guest.id)],
    );
    const accepting = guests.map(({ guest }, index) =>
      guest.supabase.rpc('accept_invitation', { token: tokens[index] }),
    );
    await new Promise((waited) => setTimeout(waited, 400));
    await admin.query('COMMIT');
    const answers = await Promise.all(accepting);
    expect(answers.map(({ status }) => status)).toEqual(guests.map(() => 200));
  });

  it('is invited once at a time, and again after the invitation is deleted or the membership has ended', async () => {
    const [owner, known] = [await signUp(), await signUp()];
    const unknown = `person-${randomUUID()}@example.com`;
    const post = (email: string) =>
      owner.supabase.from('memberships').insert({ email: email.toUpperCase(), role: 'billing' }).select();
    const [one, two] = [await post(known.email), await post(unknown)];
    const shape = ({ data, status }: { data: unknown; status: number }): unknown => [
      status,
      Object.entries((data as object[])[0] ?? {}).filter(([name]) => !/^id$|email|_at$/.test(name)),
    ];
    // The response does not reveal which address has an account.
    expect(shape(one)).toEqual(shape(two));
    expect((await post(unknown)).error).toMatchObject({ code: '23505' });
    const { id } = (two.data as { id: string }[])[0] as { id: string };
    const first = await invitationToken(id);
    await owner.supabase.from('memberships').delete().eq('id', id);
    const again = await post(unknown);
    expect(again.error).toBeNull();
    const person = await signUp(unknown);
    expect((await person.supabase.rpc('accept_invitation', { token: first })).error).toMatchObject({
      code: 'PM013',
    });
    const second = await invitationToken((again.data as { id: string }[])[0]?.id ?? '');
    expect((await person.supabase.rpc('accept_invitation', { token: second })).error).toBeNull();
    expect((await post(unknown)).error).toMatchObject({ code: '23505' });
    const member = owner.supabase.from('memberships');
    await member.update({ status: 'removed' }).eq('email', unknown);
    expect((await post(unknown)).error).toBeNull();
  });
});

describe('a member', () => {
  it('has a new role at once in every gateway, even with tokens from before the change', async () => {
    const owner = await signUp();
    const person = await joined(owner, 'therapist');
    const token = await tokenOf(person);
    const made = await auth('POST', 'tokens', { token, body: { name: 'script' } });
    const personal = (made.json as { token: string }).token;
    for (const each of [token, personal])
      for (const origin of [undefined, other.origin])
        expect(await readWith(each, 'sessions', origin)).toBe(200);
    const change = { role: 'front_desk' };
    const { error } = await owner.supabase.from('memberships').update(change).eq('id', person.membershipId);
    expect(error).toBeNull();
    for (const each of [token, personal]) {
      expect(await readWith(each, 'sessions')).toBe(403);
      await within(1000, async () => expect(await readWith(each, 'sessions', other.origin)).toBe(403));
      expect(await readWith(each, 'clients', other.origin)).toBe(200);
    }
  });

  it.each(['PATCH', 'DELETE'])(
    'loses access at once after %s, and stays a member of other practices',
    async (method) => {
      const owner = await signUp();
      const person = await joined(owner, 'therapist');
      const token = await tokenOf(person);
      const made = await auth('POST', 'tokens', { token, body: { name: 'script' } });
      const personal = (made.json as { token: string }).token;
      for (const each of [token, personal])
        for (const origin of [undefined, other.origin])
          expect(await readWith(each, 'clients', origin)).toBe(200);
      const members = owner.supabase.from('memberships');
      const gone =
        method === 'PATCH'
          ? await members.update({ status: 'removed' }).eq('id', person.membershipId)
          : await members.delete().eq('id', person.membershipId);
      expect(gone.error).toBeNull();
      for (const each of [token, personal]) {
        expect(await readWith(each, 'clients')).toBe(401);
        await within(1000, async () => expect(await readWith(each, 'clients', other.origin)).toBe(401));
      }
      expect((await person.supabase.auth.refreshSession()).error).not.toBeNull();
      const left = await owner.supabase.from('memberships').select('status').eq('id', person.membershipId);
      expect(left.data).toEqual(method === 'PATCH' ? [{ status: 'removed' }] : []);
      const { error } = await person.supabase.auth.signInWithPassword({ email: person.email, password });
      expect(error).toBeNull();
      expect(await claimsOf(person)).toMatchObject({ therapist_id: person.id, role_in_practice: 'owner' });
    },
  );

  it('stays an owner while no other member is: of two owners who demote each other at the same time, one stays', async () => {
    const owner = await signUp();
    const second = await joined(owner, 'owner');
    const { data } = await owner.supabase.from('memberships').select('id').eq('user_id', owner.id).single();
    const demote = (by: Person, id: string) =>
      by.supabase.from('memberships').update({ role: 'therapist' }).eq('id', id);
    const outcomes = await Promise.all([
      demote(owner, second.membershipId),
      demote(second, (data as { id: string }).id),
    ]);
    expect(outcomes.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    const { rows } = await admin.query(
      `SELECT 1 FROM identity.memberships WHERE therapist_id = $1 AND role = 'owner' AND status = 'active'`,
      [owner.id],
    );
    expect(rows).toHaveLength(1);
    const alone = await signUp();
    const leaving = await alone.supabase.from('memberships').delete().eq('user_id', alone.id);
    expect(leaving).toMatchObject({ status: 409, error: { code: 'PM009' } });
  });

  it('who has left every practice gets a new practice at the next sign-in', async () => {
    const owner = await signUp();
    const second = await joined(owner, 'owner');
    await second.supabase.from('memberships').delete().eq('user_id', owner.id);
    await owner.supabase.auth.signInWithPassword({ email: owner.email, password });
    const claims = await claimsOf(owner);
    expect(claims).toMatchObject({ role_in_practice: 'owner' });
    expect(claims['therapist_id']).not.toBe(owner.id);
    expect((await owner.supabase.from('practices').select('id')).data).toEqual([
      { id: claims['therapist_id'] },
    ]);
  });

  it('who has left every practice gets only one new practice from sign-ins at the same time', async () => {
    const owner = await signUp();
    const second = await joined(owner, 'owner');
    await second.supabase.from('memberships').delete().eq('user_id', owner.id);
    // The sign-ins have checked the password, and wait for the row of the account.
    await admin.query('BEGIN');
    await admin.query('SELECT 1 FROM identity.credentials WHERE user_id = $1 FOR UPDATE', [owner.id]);
    const signingIn = Array.from({ length: 4 }, () => signedIn(owner.email));
    await waiting(signingIn.length);
    await admin.query('COMMIT');
    const sessions = await Promise.all(signingIn);
    expect((await sessions[0]?.rpc('my_practices'))?.data).toHaveLength(1);
  });
});

describe('the tables of people', () => {
  it('show a practice its own rows, a person their own access, and a caller the presented invitation', async () => {
    const owner = await signUp();
    await joined(owner, 'billing');
    const membershipId = await invite(owner, `person-${randomUUID()}@example.com`);
    const hash = createHash('sha256')
      .update(await invitationToken(membershipId))
      .digest('base64url');
    const seen = async (table: string, setting: string, value: string): Promise<number> => {
      const request = new pg.Client({ connectionString: stack().databaseUrl('identity') });
      await request.connect();
      await request.query('SELECT set_config($1, $2, false)', [setting, value]);
      const { rowCount } = await request.query(`SELECT 1 FROM identity.${table}`);
      await request.end();
      return rowCount ?? 0;
    };
    expect(await seen('access', 'app.therapist_id', owner.id)).toBe(2);
    expect(await seen('access', 'app.user_id', owner.id)).toBe(1);
    expect(await seen('invitations', 'app.therapist_id', owner.id)).toBe(1);
    expect(await seen('invitations', 'app.presented', hash)).toBe(1);
    expect(await seen('invitations', 'app.user_id', owner.id)).toBe(0);
    expect(await seen('memberships', 'app.user_id', owner.id)).toBe(0);
  });
});
