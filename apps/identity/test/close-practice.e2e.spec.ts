// The end of a practice, with the real client: it is closed, refuses every write, and is opened again.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, answered, auth, call, eventually, invitationToken, logOf } from '@practice/testing';
import type { Answer, Call } from '@practice/testing';
import { begin, ended } from './archives.js';
import { enroll, password, signedIn } from './mfa-accounts.js';
import { invite, join, joined, signUp, switchTo, tokenOf, within, type Person } from './people.js';

const admin = adminDatabase();

const NAME = 'Calm Harbour';
const CLOSED = { status: 409, json: { code: 'PM017' } };

const close = (by: Person, given: object = {}) => by.supabase.rpc('close_practice', { name: NAME, ...given });
const reopen = (by: Person) => by.supabase.rpc('reopen_practice');

/** Waits for this number of mails that contain this text. They are in the log, because there is no mail server. */
const mailed = (text: string, times: number): Promise<unknown> =>
  eventually(`${times} owners have mail`, () => {
    const log = logOf('identity');
    return log.split(text).length === times + 1;
  });

async function rest(person: Person, path: string, { headers = {}, ...given }: Call = {}): Promise<Answer> {
  const authorization = `Bearer ${await tokenOf(person)}`;
  const key = given.method !== undefined && { 'idempotency-key': randomUUID() };
  const sent = { ...given, headers: { ...key, authorization, ...headers } };
  return answered(path, () => call(`/rest/v1/${path}`, sent));
}

interface Owner extends Person {
  readonly clientId: string;
}

/** An owner whose practice has this name, and a client. */
async function owning(): Promise<Owner> {
  const owner = await signUp();
  const { error } = await owner.supabase.from('practices').update({ name: NAME }).eq('id', owner.id);
  expect(error).toBeNull();
  const made = await owner.supabase.from('clients').insert({ name: 'Ada' }).select('id').single();
  return { ...owner, clientId: (made.data as { id: string }).id };
}

const menu = { name: 'Talk', duration: 50, price: 90 };
const expense = { date: '2026-01-02', amount: 1, category: 'rent' };

/** Creations in each service. */
const creations = ({ clientId }: Owner): readonly (readonly [string, object])[] => [
  ['clients', { name: 'Bo' }],
  ['service_menu', menu],
  ['expenses', expense],
  ['sessions', { client_id: clientId, plan: 'rest' }],
];

/** Repeats writes of a practice until each service refuses them, because it is closed. */
async function closedEverywhere(owner: Owner): Promise<void> {
  for (const [path, body] of creations(owner))
    await eventually(`${path} is closed`, async () => {
      const { status, json } = await rest(owner, path, { method: 'POST', body });
      return status === 409 && (json as { code: string }).code === 'PM017';
    });
}

/** A closed practice with a record, and a change to undo. */
async function closedPractice() {
  const owner = await owning();
  const made = await rest(owner, 'expenses', {
    method: 'POST',
    body: expense,
    headers: { prefer: 'return=representation' },
  });
  expect(made.status).toBe(201);
  const [{ id = '' } = {}] = made.json as { id: string }[];
  const member = await joined(owner, 'front_desk');
  const invited = await signUp();
  const membership = await invite(owner, invited.email);
  expect((await close(owner)).error).toBeNull();
  await closedEverywhere(owner);
  return { owner, member, invited, membership, expenseId: id, change: made.headers.get('change-id') ?? '' };
}
let one: ReturnType<typeof closedPractice> | undefined;
/** A closed practice that several cases share. */
const closed = () => (one ??= closedPractice());

describe('close_practice', () => {
  it('shows when the practice was closed and when it is erased, and informs each owner', async () => {
    const owner = await owning();
    const other = await join(owner, await signUp(), 'owner');
    const { data } = await close(owner, { reason: 'I retire.' });
    const { data: found } = await other.supabase.from('practices').select('closed_at,erase_at').single();
    expect(data).toEqual(found);
    const { closed_at, erase_at } = found as { closed_at: string; erase_at: string };
    expect(Date.parse(erase_at) - Date.parse(closed_at)).toBe(30 * 86_400_000);
    expect(Math.abs(Date.parse(closed_at) - Date.now())).toBeLessThan(60_000);
    const { data: events } = await other.supabase
      .from('security_events')
      .select('by_user_id,reason')
      .eq('kind', 'practice_closed');
    expect(events).toEqual([{ by_user_id: owner.id, reason: 'I retire.' }]);
    await mailed(`${owner.email}, an owner of the practice \\"${NAME}\\", has closed it`, 2);
    expect(await close(other)).toMatchObject({
      status: 409,
      error: { code: 'PM017', details: `It will be erased at ${erase_at}.` },
    });
  });

  it.each(['Calm harbour', 'Calm Harbour ', 'My practice', ''])(
    'needs the name of the practice, not %j',
    async (name) => {
      const owner = await owning();
      expect(await close(owner, { name })).toMatchObject({ status: 400, error: { code: '22023' } });
      expect((await owner.supabase.from('clients').insert({ name: 'Ada' })).error).toBeNull();
    },
  );

  it('is for owners with a recent sign-in', async () => {
    const owner = await owning();
    const therapist = await joined(owner, 'therapist');
    expect(await close(therapist)).toMatchObject({ status: 403, error: { code: '42501' } });
    const made = await auth('POST', 'tokens', { token: await tokenOf(owner), body: { name: 'script' } });
    const authorization = `Bearer ${(made.json as { token: string }).token}`;
    const body = { name: NAME };
    expect(
      await call('/rest/v1/rpc/close_practice', { method: 'POST', body, headers: { authorization } }),
    ).toMatchObject({ status: 403, json: { code: '42501' } });
    await admin.query(
      `UPDATE identity.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [owner.id],
    );
    expect((await close(owner)).error).toMatchObject({ code: 'reauthentication_needed' });
    expect((await close(owner, { current_password: 'wrong' })).error).not.toBeNull();
    const { data } = await owner.supabase.from('practices').select('closed_at,erase_at').single();
    expect(data).toEqual({ closed_at: null, erase_at: null });
    expect((await close(owner, { current_password: password })).error).toBeNull();
  });

  it('closes nothing in a dry run', async () => {
    const owner = await owning();
    const preview = { method: 'POST', body: { name: NAME }, headers: { prefer: 'tx=rollback' } };
    expect((await rest(owner, 'rpc/close_practice', preview)).status).toBe(200);
    expect((await owner.supabase.from('clients').insert({ name: 'Ada' })).error).toBeNull();
  });
});

describe('a closed practice', () => {
  it.each<[string, string, Call]>([
    ['creates nothing', 'clients', { method: 'POST', body: { name: 'Bo' } }],
    [
      'previews nothing',
      'clients',
      { method: 'POST', body: { name: 'Bo' }, headers: { prefer: 'tx=rollback' } },
    ],
    ['changes nothing', 'expenses?amount=gte.0', { method: 'PATCH', body: { amount: 2 } }],
    ['deletes nothing', 'expenses?amount=gte.0', { method: 'DELETE' }],
    [
      'upserts nothing',
      'service_menu?on_conflict=id',
      { method: 'POST', body: [menu], headers: { prefer: 'resolution=merge-duplicates' } },
    ],
    [
      'books nothing',
      'appointments',
      { method: 'POST', body: { date: '2030-01-07', start_time: '10:00', end_time: '11:00' } },
    ],
    ['keeps its name', 'practices?name=eq.Calm%20Harbour', { method: 'PATCH', body: { name: 'Other' } }],
    [
      'sends no invitation',
      'memberships',
      { method: 'POST', body: { email: 'x@example.com', role: 'billing' } },
    ],
    ['keeps its members', 'memberships?role=eq.front_desk', { method: 'PATCH', body: { status: 'removed' } }],
    ['is not closed again', 'rpc/close_practice', { method: 'POST', body: { name: NAME } }],
  ])('%s', async (_, path, given) => {
    const { owner } = await closed();
    const answer = await rest(owner, path, given);
    expect(answer).toMatchObject(CLOSED);
    const { data } = await owner.supabase.from('practices').select('erase_at').single();
    const { erase_at } = data as { erase_at: string };
    expect((answer.json as { details: string }).details).toBe(`It will be erased at ${erase_at}.`);
  });

  it('refuses undo, and accepts no invitation', async () => {
    const { owner, invited, membership, change, expenseId } = await closed();
    const body = { change_id: change };
    expect(await rest(owner, 'rpc/undo', { method: 'POST', body })).toMatchObject(CLOSED);
    const token = await invitationToken(membership);
    expect((await invited.supabase.rpc('accept_invitation', { token })).error).toMatchObject({
      code: 'PM017',
    });
    const { json } = await rest(owner, `expenses?id=eq.${expenseId}&select=amount`);
    expect(json).toEqual([{ amount: 1 }]);
  });

  it('can be read and exported; its members sign in and out, add factors and take break-glass access', async () => {
    const { owner, member, expenseId } = await closed();
    const { json } = await rest(owner, `expenses_history?id=eq.${expenseId}&select=event`);
    expect(json).toEqual([{ event: 'ExpenseRecorded' }]);
    const past = `as_of=${encodeURIComponent(new Date().toISOString())}`;
    const then = await rest(owner, `expenses?id=eq.${expenseId}&select=amount&${past}`);
    expect(then.json).toEqual([{ amount: 1 }]);
    expect(await ended(owner, (await begin(owner)).id)).toMatchObject({ status: 'done' });
    const again = { ...member, supabase: await signedIn(member.email) };
    await switchTo(again, owner.id);
    await enroll(again);
    expect((await again.supabase.rpc('create_recovery_codes')).data).toHaveLength(10);
    expect((await again.supabase.rpc('break_glass', { reason: 'a crisis' })).error).toBeNull();
    expect((await again.supabase.from('sessions').select()).error).toBeNull();
    expect((await again.supabase.auth.signOut()).error).toBeNull();
  });

  it('answers a repeated write as before, and does not replay a refusal after it is reopened', async () => {
    const owner = await owning();
    const add = (key: string) =>
      rest(owner, 'clients', { method: 'POST', body: { name: 'Ada' }, headers: { 'idempotency-key': key } });
    expect((await add('before')).status).toBe(201);
    expect((await close(owner)).error).toBeNull();
    await closedEverywhere(owner);
    const repeated = await add('before');
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(await add('during')).toMatchObject(CLOSED);
    expect((await reopen(owner)).error).toBeNull();
    await within(1000, async () => expect((await add('during')).status).toBe(201));
  });

  it('closes no other practice of its members', async () => {
    const owner = await owning();
    const member = await joined(owner, 'therapist');
    expect((await close(owner)).error).toBeNull();
    const add = () => member.supabase.from('clients').insert({ name: 'Bo' });
    await within(1000, async () => expect((await add()).error).toMatchObject({ code: 'PM017' }));
    await switchTo(member, member.id);
    expect((await add()).error).toBeNull();
  });
});

describe('a service that knows that a practice is closed', () => {
  it('refuses writes by itself, and policies still finish', async () => {
    const owner = await owning();
    const add = (resource: string, body: object) =>
      rest(owner, `${resource}?select=id`, {
        method: 'POST',
        body,
        headers: { prefer: 'return=representation' },
      });
    const slot = { date: '2026-01-05', start_time: '10:00', end_time: '11:00', client_id: owner.clientId };
    const [booked] = (await add('appointments', slot)).json as { id: string }[];
    await admin.query(
      `UPDATE clients.practice_head SET erase_at = now() + interval '30 days' WHERE therapist_id = $1`,
      [owner.id],
    );
    expect(await add('clients', { name: 'Bo' })).toMatchObject(CLOSED);
    for (const status of ['confirmed', 'completed'])
      expect(
        (await rest(owner, `appointments?id=eq.${booked?.id}`, { method: 'PATCH', body: { status } })).status,
      ).toBe(204);
    await eventually('the visit counts', async () => {
      const { json } = await rest(owner, `clients?id=eq.${owner.clientId}&select=total_visits`);
      return (json as { total_visits: number }[])[0]?.total_visits === 1;
    });
  });
});

describe('reopen_practice', () => {
  it('gives the practice its writes back, and informs its owners', async () => {
    const owner = await owning();
    const therapist = await joined(owner, 'therapist');
    expect((await close(owner)).error).toBeNull();
    await closedEverywhere(owner);
    expect(await reopen(therapist)).toMatchObject({ status: 403, error: { code: '42501' } });
    expect((await reopen(owner)).data).toEqual({ therapist_id: owner.id, reopened: true });
    const { data } = await owner.supabase.from('practices').select('closed_at,erase_at').single();
    expect(data).toEqual({ closed_at: null, erase_at: null });
    for (const [path, body] of creations(owner))
      await within(1000, async () =>
        expect((await rest(owner, path, { method: 'POST', body })).status).toBe(201),
      );
    const { data: events } = await owner.supabase
      .from('security_events')
      .select('kind')
      .in('kind', ['practice_closed', 'practice_reopened'])
      .order('created_at');
    expect(events).toEqual([{ kind: 'practice_closed' }, { kind: 'practice_reopened' }]);
    await mailed(`${owner.email}, an owner of the practice \\"${NAME}\\", has opened it again`, 1);
    expect((await reopen(owner)).data).toEqual({ therapist_id: owner.id, reopened: false });
  });

  it('comes too late after the time of the erasure', async () => {
    const owner = await owning();
    expect((await close(owner)).error).toBeNull();
    await admin.query('UPDATE identity.practices SET erase_at = now() WHERE id = $1', [owner.id]);
    expect(await reopen(owner)).toMatchObject({ status: 409, error: { code: 'PM017' } });
  });
});

describe('in a closed practice', () => {
  it('no personal access token can be made, and a client can be erased', async () => {
    const owner = await owning();
    const create = async () =>
      auth('POST', 'tokens', { token: await tokenOf(owner), body: { name: 'script' } });
    expect((await create()).status).toBe(201);
    expect((await close(owner)).error).toBeNull();
    await closedEverywhere(owner);
    expect(await create()).toMatchObject({ status: 409, json: { error_code: 'practice_closed' } });
    expect((await auth('GET', 'tokens', { token: await tokenOf(owner) })).json).toHaveLength(1);
    const begun = await owner.supabase.rpc('erase_client', { client_id: owner.clientId });
    expect(begun).toMatchObject({ error: null, status: 202 });
    await eventually('the client is erased', async () => {
      const { data } = await owner.supabase.from('erasures').select('status').single();
      return (data as { status: string } | null)?.status === 'done';
    });
    const { data } = await owner.supabase.from('clients').select('name').eq('id', owner.clientId).single();
    expect(data).toEqual({ name: null });
    expect((await reopen(owner)).error).toBeNull();
    expect((await create()).status).toBe(201);
  });
});
