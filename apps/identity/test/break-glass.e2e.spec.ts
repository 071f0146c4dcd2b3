// Break-glass access: the reads that it permits, what it does not permit, its traces, and how it ends.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { IDENTITY_CHANGES, type GlassBroken, type IdentityChange } from '@practice/contracts';
import { connect } from '@practice/bus';
import { adminDatabase, answered, auth, call, eventually, logOf, stack } from '@practice/testing';
import type { Answer, Call } from '@practice/testing';
import { signedIn } from './mfa-accounts.js';
import { join, joined, signUp, switchTo, tokenOf, type Member, type Person } from './people.js';

const reason = 'The therapist is ill and a client has called';

const admin = adminDatabase();
let owner: Person;
let clientId: string;
let changeOfNote: string;
beforeAll(async () => {
  owner = await signUp();
  clientId = await make('clients', { name: 'Ada' });
  await make('sessions', { client_id: clientId, plan: 'rest' });
  await make('payments', { client_id: clientId, date: '2026-03-01', amount: 60, method: 'cash' });
  const note = await make('sessions', { client_id: clientId, plan: 'walk' });
  const changed = await rest(owner, `sessions?id=eq.${note}`, { method: 'PATCH', body: { plan: 'walks' } });
  changeOfNote = changed.headers.get('change-id') ?? '';
});

async function rest(person: Pick<Person, 'supabase'>, path: string, given: Call = {}): Promise<Answer> {
  const authorization = `Bearer ${await tokenOf(person as Person)}`;
  const key = given.method !== undefined && { 'idempotency-key': randomUUID() };
  const sent = { ...given, headers: { ...key, ...given.headers, authorization } };
  return answered(path, () => call(`/rest/v1/${path}`, sent));
}

async function make(resource: string, body: object): Promise<string> {
  const headers = { prefer: 'return=representation' };
  const { json } = await rest(owner, resource, { method: 'POST', body, headers });
  return (json as { id: string }[])[0]?.id ?? '';
}

const glass = (person: Pick<Person, 'supabase'>, body: object = { reason }, headers = {}) =>
  rest(person, 'rpc/break_glass', { method: 'POST', body, headers });

const readsNotes = async (person: Pick<Person, 'supabase'>): Promise<number> =>
  (await rest(person, 'sessions')).status;

/** A member with break-glass access, and the id of the access. */
async function emergency(role = 'front_desk'): Promise<Member & { readonly access: string }> {
  const member = await joined(owner, role);
  const { status, json } = await glass(member);
  expect(status).toBe(200);
  return { ...member, access: (json as { id: string }).id };
}

let one: ReturnType<typeof emergency> | undefined;
/** A member that several cases share. */
const theOne = () => (one ??= emergency());

const changed = (member: Member, role: string) =>
  owner.supabase.from('memberships').update({ role }).eq('id', member.membershipId);

describe('break_glass', () => {
  it.each<[string, Call, unknown]>([
    ['sessions?select=plan&order=plan', {}, [{ plan: 'rest' }, { plan: 'walks' }]],
    ['sessions?select=plan&plan=like.w*', {}, [{ plan: 'walks' }]],
    ['sessions?select=count()', {}, [{ count: 2 }]],
    ['sessions?select=plan.max()', {}, [{ max: 'walks' }]],
    ['sessions?select=plan,clients(name)&plan=eq.rest', {}, [{ plan: 'rest', clients: { name: 'Ada' } }]],
    [
      'clients?select=name,sessions(plan)&sessions.order=plan',
      {},
      [{ name: 'Ada', sessions: [{ plan: 'rest' }, { plan: 'walks' }] }],
    ],
    ['clients?select=name,sessions!inner()&sessions.plan=eq.rest', {}, [{ name: 'Ada' }]],
    ['payments?select=amount,clients(name)', {}, [{ amount: 60, clients: { name: 'Ada' } }]],
    ['clients?select=name,payments(amount)', {}, [{ name: 'Ada', payments: [{ amount: 60 }] }]],
    ['client_balances?select=credit', {}, [{ credit: 60 }]],
    ['sessions_history?select=event&order=position.desc&limit=1', {}, [{ event: 'SessionNoteAmended' }]],
    ['sessions?select=plan&order=plan', { headers: { accept: 'text/csv' } }, 'plan\nrest\nwalks'],
    ['sessions?select=plan', { method: 'HEAD', headers: { prefer: 'count=exact' } }, '0-1/2'],
  ])('lets front_desk read %s %j', async (path, given, expected) => {
    const member = await theOne();
    const { status, headers, text, json } = await rest(member, path, given);
    expect(status).toBeLessThan(300);
    if (given.method === 'HEAD') expect(headers.get('content-range')).toBe(expected);
    else expect(json ?? text).toEqual(expected);
  });

  it.each<[string, Call]>([
    ['sessions', { method: 'POST', body: { plan: 'sleep' } }],
    ['sessions?plan=eq.rest', { method: 'PATCH', body: { plan: 'sleep' } }],
    ['sessions?plan=eq.rest', { method: 'DELETE' }],
    ['clients?name=eq.Ada', { method: 'DELETE' }],
    [
      'clients?name=eq.Ada&select=name,sessions(plan)',
      { method: 'PATCH', body: { name: 'Eve' }, headers: { prefer: 'return=representation' } },
    ],
    ['service_menu', { method: 'POST', body: { name: 'Talk', duration: 50, price: 1 } }],
    ['expenses', {}],
    ['security_events', {}],
    ['access_log', {}],
  ])('permits no write, and nothing that a therapist may not do: %s %j', async (path, given) => {
    expect(await rest(await theOne(), path, given)).toMatchObject({ status: 403, json: { code: '42501' } });
  });

  it('lets front_desk read past states, and marks the read', async () => {
    const { access, ...member } = await theOne();
    const path = `sessions?select=plan&order=plan&as_of=${new Date().toISOString()}`;
    const id = randomUUID();
    const { json } = await rest(member, path, { headers: { 'x-request-id': id } });
    expect(json).toEqual([{ plan: 'rest' }, { plan: 'walks' }]);
    const marked = await rest(owner, `access_log?request_id=eq.${id}&select=break_glass_id,count`);
    expect(marked.json).toEqual([{ break_glass_id: access, count: 2 }]);
  });

  it('permits no undo', async () => {
    const body = { change_id: changeOfNote };
    expect(await rest(await theOne(), 'rpc/undo', { method: 'POST', body })).toMatchObject({ status: 403 });
    const { json } = await rest(owner, 'clients?select=name');
    expect(json).toEqual([{ name: 'Ada' }]);
  });
});

describe('the traces', () => {
  it('are a security event with the reason, a mail to the owner, and a mark on exactly these reads', async () => {
    const member = await joined(owner, 'front_desk');
    const own = `a reason ${randomUUID()}`;
    const { json } = await glass(member, { reason: own });
    const { id, until } = json as { id: string; until: string };
    expect(Math.abs(Date.parse(until) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const paths = ['sessions?select=plan', 'clients?select=sessions(plan)', 'sessions_history'];
    for (const [index, path] of paths.entries())
      expect((await rest(member, path, { headers: { 'x-request-id': ids[index] ?? '' } })).status).toBe(200);
    expect(await readsNotes(owner)).toBe(200);
    const marked = await rest(
      owner,
      `access_log?break_glass_id=eq.${id}&order=id&select=request_id,actor_id`,
    );
    expect(marked.json).toEqual(ids.map((request) => ({ request_id: request, actor_id: member.id })));
    const event = await rest(owner, `security_events?id=eq.${id}&select=kind,user_id,by_user_id,reason`);
    const by = { user_id: member.id, by_user_id: member.id };
    expect(event.json).toEqual([{ kind: 'glass_broken', ...by, reason: own }]);
    const log = (): string => logOf('identity');
    await eventually('the owner gets a mail', () =>
      log().includes(`${member.email}, a member of your practice, has taken`),
    );
    // A mail and a log can be read by others, and the reason may concern a client.
    expect(log()).not.toContain(own);
  });

  it('mark the reads of a therapist, who can read no more than before', async () => {
    const { access, ...member } = await emergency('therapist');
    expect(await readsNotes(member)).toBe(200);
    expect((await rest(owner, `access_log?break_glass_id=eq.${access}&select=count`)).json).toEqual([
      { count: 2 },
    ]);
    expect((await rest(member, 'expenses')).status).toBe(403);
  });
});

describe('break_glass is refused', () => {
  it('to a personal token, which does not get the access of a session either', async () => {
    const member = await theOne();
    const made = await auth('POST', 'tokens', { token: await tokenOf(member), body: { name: 'script' } });
    const authorization = `Bearer ${(made.json as { token: string }).token}`;
    const asked = (path: string, given: Call = {}) =>
      call(`/rest/v1/${path}`, { ...given, headers: { authorization } });
    expect((await asked('rpc/break_glass', { method: 'POST', body: { reason } })).status).toBe(403);
    expect([(await asked('sessions')).status, (await asked('clients')).status]).toEqual([403, 200]);
  });

  it('to other roles, and without a proper reason; a dry run does nothing', async () => {
    const member = await joined(owner, 'billing');
    const denied = { status: 403, json: { code: '42501' } };
    expect(await glass(member)).toMatchObject(denied);
    await changed(member, 'read_only');
    expect(await glass(member)).toMatchObject(denied);
    expect(await glass(owner)).toMatchObject(denied);
    await changed(member, 'front_desk');
    for (const body of [{}, { reason: ' ' }, { reason: null }, { reason: 'x'.repeat(501) }, { reason, x: 1 }])
      expect((await glass(member, body)).status).toBeGreaterThanOrEqual(400);
    expect((await glass(member, { reason }, { prefer: 'tx=rollback' })).status).toBe(200);
    expect(await readsNotes(member)).toBe(403);
    const events = await rest(owner, `security_events?user_id=eq.${member.id}&kind=eq.glass_broken`);
    expect(events.json).toEqual([]);
  });

  it('after five calls in an hour', async () => {
    const member = await emergency();
    for (let time = 0; time < 4; time += 1) expect((await glass(member)).status).toBe(200);
    const key = { 'idempotency-key': randomUUID() };
    const { status, json, headers } = await glass(member, { reason }, key);
    expect([status, json]).toEqual([429, expect.objectContaining({ code: 'PM004' })]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(await readsNotes(member)).toBe(200);
    const age = `UPDATE identity.security_events SET created_at = created_at - interval '1 hour' WHERE user_id = $1`;
    await admin.query(age, [member.id]);
    // The same request is accepted after the time that the refusal named.
    expect((await glass(member, { reason }, key)).status).toBe(200);
  });
});

describe('the access', () => {
  it('belongs to one session in one practice, and continues after a refresh', async () => {
    const member = await emergency();
    expect(await readsNotes({ supabase: await signedIn(member.email) })).toBe(403);
    expect((await member.supabase.auth.refreshSession()).error).toBeNull();
    expect(await readsNotes(member)).toBe(200);
    const other = await signUp();
    const elsewhere = { ...member, ...(await joinedToo(other, member)) };
    expect(await readsNotes(elsewhere)).toBe(403);
  });

  it('ends permanently with a change of the role', async () => {
    const member = await emergency();
    await changed(member, 'billing');
    expect(await readsNotes(member)).toBe(403);
    await changed(member, 'front_desk');
    expect([await readsNotes(member), (await rest(member, 'clients')).status]).toEqual([403, 200]);
  });

  it('ends with the membership, and with the session', async () => {
    const [removed, leaving] = [await emergency(), await emergency()];
    await changed(removed, 'front_desk');
    await owner.supabase.from('memberships').delete().eq('id', removed.membershipId);
    expect(await readsNotes(removed)).toBe(401);
    const token = await tokenOf(leaving);
    await leaving.supabase.auth.signOut();
    const authorization = `Bearer ${token}`;
    expect((await call('/rest/v1/sessions', { headers: { authorization } })).status).toBe(401);
  });

  it('ends on time, even if a gateway still states and caches it', async () => {
    const member = await emergency();
    expect(await readsNotes(member)).toBe(200);
    await announceEnd(member.access);
    for (const path of ['sessions', 'sessions_history', 'clients?select=name,sessions(plan)'])
      await eventually(`${path} is refused`, async () => (await rest(member, path)).status === 403);
    expect((await rest(member, 'clients')).status).toBe(200);
  });
});

/** Announces to the gateways that the access ends now. They still state it to services, which have to notice its end. */
async function announceEnd(id: string): Promise<void> {
  const { rows } = await admin.query<Pick<GlassBroken, 'userId' | 'sessionId' | 'therapistId'>>(
    `UPDATE identity.broken_glass SET until = now() WHERE id = $1
     RETURNING user_id AS "userId", session_id AS "sessionId", therapist_id AS "therapistId"`,
    [id],
  );
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const bus = await connect({ url: stack().natsUrl('identity'), name: 'break-glass spec', logger: silent });
  const access = { ...(rows[0] as GlassBroken), role: 'front_desk', id, until: Date.now() } as const;
  const change: IdentityChange = { type: 'GlassBroken', access };
  bus.nats.publish(IDENTITY_CHANGES, JSON.stringify(change));
  await bus.nats.flush();
  await bus.close();
}

/** The member in another practice, as front_desk too. */
async function joinedToo(other: Person, member: Member): Promise<Member> {
  const there = await join(other, member, 'front_desk');
  await switchTo(there, other.id);
  return there;
}
