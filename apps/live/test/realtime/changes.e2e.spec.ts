// Changes of records, received by the real client.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  eventually,
  find,
  make,
  makeAll,
  newPractice,
  patch,
  remove,
  rowsOf,
  slot,
  write,
} from '@practice/testing';
import type { Practice } from '@practice/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import { clientOf, closeClients, hear, listen, subscribed, systemOf, type Heard } from './clients.js';

const admin = adminDatabase();
let practice: Practice;
let client: SupabaseClient;

beforeAll(async () => {
  practice = await newPractice();
  client = await clientOf(practice);
});
afterAll(closeClients);

const arrived = (heard: readonly Heard[], count: number): Promise<unknown> =>
  eventually(`${count} changes have arrived, of ${heard.length}`, () => heard.length >= count);

/** Later than the days of the tests. */
let nextSlot = 10_000;

/** Makes a change that every listener hears after all earlier changes. A change that has not arrived by then does not arrive. */
async function last(heard: readonly Heard[]): Promise<void> {
  const { id } = await make(practice, 'appointments', slot(nextSlot++));
  await eventually('the last change has arrived', () => heard.some((one) => one.new['id'] === id));
}

describe.each(['1.0.0', '2.0.0'])('with protocol %s, a listener', (vsn) => {
  it('gets a creation, a change and a deletion, each with the record as reads show it', async () => {
    const channel = (await clientOf(practice, { vsn })).channel('records');
    const system = systemOf(channel);
    const heard = listen(channel, { table: 'clients' });
    expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);
    await eventually('the subscription is confirmed', () =>
      system.includes('postgres_changes ok: Subscribed to PostgreSQL'),
    );

    const created = await make(practice, 'clients', { name: 'Ada', email: 'ada@example.com' });
    await patch(practice, 'clients', { id: created.id, phone: '123' });
    const changed = await find(practice, 'clients', created.id);
    await remove(practice, 'clients', created.id);
    await arrived(heard, 3);

    expect(heard.map(({ eventType }) => eventType)).toEqual(['INSERT', 'UPDATE', 'DELETE']);
    expect(heard.map((one) => [one.old, one.new])).toEqual([
      [{}, created],
      [created, changed],
      [changed, {}],
    ]);
    expect(heard[1]).toMatchObject({ schema: 'public', table: 'clients', errors: null });
    expect(heard[1]?.commit_timestamp).toBe(changed?.['updated_at']);
  });
});

it('the filters of one practice do not delay clients of another practice', async () => {
  const [busy, calm] = await Promise.all([newPractice(), newPractice()]);
  const COUNT = 100;
  const pattern = `notes=not.like.${'%a'.repeat(120)}b`;
  const filter = `${Array(15).fill(pattern).join()},status=neq.cancelled`;
  const client = await clientOf(busy);
  const channel = client.channel('filters');
  const others = Array.from({ length: 9 }, (_, index) => client.channel(`filters ${index}`));
  const heard: Heard[] = [];
  let mostHaveArrived = (): void => {};
  hear(channel, { table: 'appointments', event: 'INSERT', filter, select: ['id'] }, (change) => {
    if (heard.push(change) === 75) mostHaveArrived();
  });
  for (const each of [channel, ...others])
    for (let index = 1; index < 50; index += 1)
      listen(each, { table: 'appointments', filter, select: ['id'] });
  for (const each of [...others, channel]) expect(await subscribed(each)).toEqual(['SUBSCRIBED']);
  const calmChannel = (await clientOf(calm)).channel('calm', { config: { broadcast: { ack: true } } });
  await subscribed(calmChannel);

  /** Makes bookings. @returns how many of them have arrived when the calm channel gets its reply */
  const arrivedBeforeReply = async (first: number): Promise<number> => {
    heard.length = 0;
    const most = new Promise<void>((resolve) => (mostHaveArrived = resolve));
    // The last reply of the service contains many of these changes. Without turns, nothing else is handled until all of them are sent.
    const bookings = Array.from({ length: COUNT }, (_, index) => ({
      ...{ ...slot(first + index), notes: 'a'.repeat(2_000) },
    }));
    const written = makeAll(busy, 'appointments?select=id', bookings);
    await most;
    await calmChannel.send({ type: 'broadcast', event: 'still there', payload: {} });
    const before = heard.length;
    await written;
    await arrived(heard, COUNT);
    return before;
  };
  // If this process does not run for a moment, the last changes wait for it, together with the reply. Then the attempt proves nothing.
  let before = COUNT;
  for (let tries = 0; tries < 5 && before === COUNT; tries += 1)
    before = await arrivedBeforeReply(tries * COUNT);
  expect(before).toBeLessThan(COUNT);
});

describe('a subscription', () => {
  it('gets one message for a change, regardless of the number of its events', async () => {
    const channel = client.channel('one message');
    const heard = listen(channel, { table: 'appointments', event: 'UPDATE' });
    const all = listen(channel, { table: 'appointments', event: 'INSERT' });
    await subscribed(channel);
    const { id } = await make(practice, 'appointments', slot(0));
    await patch(practice, 'appointments', { id, ...slot(1), status: 'confirmed' });
    await patch(practice, 'appointments', { id, notes: 'x' });
    await last(all);
    expect(heard.map((one) => [one.old['status'], one.new['status'], one.new['notes']])).toEqual([
      ['scheduled', 'confirmed', null],
      ['confirmed', 'confirmed', 'x'],
    ]);
  });

  it('gets all changes of one write in their order, even when the owner reports them in parts', async () => {
    const channel = client.channel('large');
    const heard = listen(channel, { table: 'expenses' });
    await subscribed(channel);
    const descriptions = Array.from({ length: 12 }, (_, index) => `${index} ${'x'.repeat(60_000)}`);
    const rows = descriptions.map((description) => ({ date: '2030-01-07', amount: 1, description }));
    await makeAll(practice, 'expenses?select=id', rows);
    await arrived(heard, 12);
    expect(heard.map((one) => one.new['description'])).toEqual(descriptions);
  });

  it('gets the events, the tables and the records that it asks for', async () => {
    const channel = client.channel('filters');
    const everything = listen(channel, { schema: '*', table: '*' });
    const inserts = listen(channel, { event: 'INSERT', table: 'appointments' });
    const confirmed = listen(channel, { table: 'appointments', filter: 'status=eq.confirmed' });
    const among = listen(channel, { table: 'appointments', filter: 'status=in.(cancelled,no_show)' });
    const later = listen(channel, {
      table: 'appointments',
      filter: `date=gte.2002-01-01,date=lt.2002-02-01`,
    });
    const deleted = listen(channel, { event: 'DELETE', table: 'appointments', filter: 'notes=eq.before' });
    expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);

    const { id } = await make(practice, 'appointments', { ...slot(16), notes: 'before' });
    const other = await make(practice, 'appointments', { ...slot(17), notes: 'other' });
    await make(practice, 'appointments', { ...slot(0), date: '2002-01-07' });
    await make(practice, 'expenses', { date: '2030-01-07', amount: 5, description: 'tea' });
    await patch(practice, 'appointments', { id, status: 'confirmed' });
    await patch(practice, 'appointments', { id, status: 'cancelled' });
    for (const each of [id, other.id]) await remove(practice, 'appointments', each);
    await eventually('the expense has arrived', () => everything.some(({ table }) => table === 'expenses'));
    await last(everything);

    const short = (heard: readonly Heard[]): string[] =>
      heard.map(({ eventType, new: now, old }) => `${eventType} ${String(now['status'] ?? old['status'])}`);
    expect(inserts.slice(0, 3).map(({ eventType }) => eventType)).toEqual(['INSERT', 'INSERT', 'INSERT']);
    expect(short(confirmed)).toEqual(['UPDATE confirmed']);
    expect(short(among)).toEqual(['UPDATE cancelled', 'DELETE cancelled']);
    expect(later.map((one) => one.new['date'])).toEqual(['2002-01-07']);
    expect(deleted.map((one) => one.old['id'])).toEqual([id]);
  });

  it('gets the columns that it selects', async () => {
    const channel = client.channel('select');
    const heard = listen(channel, { table: 'clients', select: ['id', 'name'] });
    const whole = listen(channel, { table: 'clients' });
    expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);
    const { id } = await make(practice, 'clients', { name: 'Bob', phone: '1' });
    await eventually('both have arrived', () => heard.length === 1 && whole.length === 1);
    expect(heard[0]?.new).toEqual({ id, name: 'Bob' });
    expect(whole[0]?.new).toMatchObject({ id, name: 'Bob', phone: '1' });
  });

  it('never gets confidential columns', async () => {
    const channel = client.channel('confidential');
    const heard = listen(channel, { table: 'sessions' });
    await subscribed(channel);
    const { id: client_id } = await make(practice, 'clients', { name: 'Cy' });
    const { id } = await make(practice, 'sessions', { client_id, plan: 'a canary' });
    await patch(practice, 'sessions', { id, plan: 'another canary' });
    await arrived(heard, 2);
    expect(heard[1]).toMatchObject({ eventType: 'UPDATE', new: { id, client_id } });
    expect(JSON.stringify(heard)).not.toContain('canary');
    expect(heard[0]?.new).not.toHaveProperty('plan');
  });

  it.each([
    [{ table: 'nothing' }, 'table nothing does not exist'],
    [{ table: 'clients', filter: 'secret=eq.1' }, 'invalid column for filter secret'],
    [{ table: 'appointments', filter: 'date=eq.x' }, 'invalid input syntax for type date: "x"'],
    [{ table: 'sessions', filter: 'plan=eq.x' }, 'invalid column for filter plan'],
  ])('that is invalid is reported as an error: %j', async (filter, reason) => {
    const channel = client.channel(`refused ${reason}`);
    const system = systemOf(channel);
    listen(channel, filter);
    expect(await subscribed(channel)).toEqual(['SUBSCRIBED']);
    await eventually('the error has arrived', () => system.length > 0);
    expect(system[0]).toContain('postgres_changes error: ');
    expect(system[0]).toContain(reason);
  });

  it('that is invalid makes a join fail if the join waits for it', async () => {
    const config = { postgres_changes_options: { wait: true } };
    const channel = client.channel('waits', { config });
    listen(channel, { table: 'nothing' });
    const statuses = await subscribed(channel);
    expect(statuses[0]).toBe(
      'CHANNEL_ERROR RealtimeDisabledForConfiguration: Unable to subscribe to changes: table nothing does not exist',
    );
  });

  it('gets nothing of another practice', async () => {
    const other = await newPractice();
    const mine = client.channel('same name');
    const theirs = (await clientOf(other)).channel('same name');
    const [heard, heardThere] = [listen(mine, { table: '*' }), listen(theirs, { table: '*' })];
    await Promise.all([subscribed(mine), subscribed(theirs)]);
    const here = await make(practice, 'clients', { name: 'Here' });
    const there = await make(other, 'clients', { name: 'There' });
    // Events of the sign-up may arrive before the client.
    const hasArrived = () => heardThere.some((one) => one.new['id'] === there.id);
    await Promise.all([arrived(heard, 1), eventually('the change has arrived there', hasArrived)]);
    await make(practice, 'expenses', { date: '2030-01-07', amount: 5, description: 'tea' });
    await arrived(heard, 2);
    expect(heard[0]?.new['id']).toBe(here.id);
    expect(JSON.stringify(heardThere)).not.toContain(practice.therapistId);
    expect(JSON.stringify(heard)).not.toContain(other.therapistId);
  });

  it('gets no earlier changes of a client who is erased', async () => {
    const other = await newPractice();
    const { id } = await make(other, 'clients', { name: 'Gil', email: 'gil@example.com' });
    await patch(other, 'clients', { id, phone: '123' });
    const outbox = 'SELECT FROM clients.outbox WHERE therapist_id = $1';
    await eventually(
      'the changes are published',
      async () => (await admin.query(outbox, [other.therapistId])).rowCount === 0,
    );
    const channel = (await clientOf(other)).channel('erasure');
    const heard = listen(channel, { table: 'clients' });
    await subscribed(channel);
    const erased = await write(other, 'rpc/erase_client', { method: 'POST', body: { client_id: id } });
    expect(erased.status).toBe(202);
    await eventually('the erasure is done', async () => {
      const [erasure] = await rowsOf<{ status: string }>(other, 'erasures');
      return erasure?.status === 'done';
    });
    const { id: next } = await make(other, 'clients', { name: 'Hal' });
    await eventually('the last change has arrived', () => heard.some((one) => one.new['id'] === next));
    expect(heard.map(({ eventType, new: { id: of } }) => [eventType, of])).toEqual([['INSERT', next]]);
  });

  it('ends with its channel', async () => {
    const [kept, left] = [client.channel('kept'), client.channel('left')];
    const [heard, missed] = [listen(kept, { table: 'clients' }), listen(left, { table: 'clients' })];
    await Promise.all([subscribed(kept), subscribed(left)]);
    await make(practice, 'clients', { name: 'Eve' });
    await eventually('both hear', () => heard.length === 1 && missed.length === 1);
    expect(await client.removeChannel(left)).toBe('ok');
    await make(practice, 'clients', { name: 'Fay' });
    await arrived(heard, 2);
    expect(missed).toHaveLength(1);
  });
});
