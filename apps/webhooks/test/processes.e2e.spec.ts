// Processes that start and end: the work of a process at its start, and the deliveries of a process that is killed or loses its
// session of Postgres. Other processes take over long before a lease ends.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { serviceNames } from '@practice/contracts';
import { eventually, make, makeAll, newPractice, ownStack, patch, rowsOf } from '@practice/testing';
import type { Made, OwnStack, Practice } from '@practice/testing';
import { Client } from 'pg';
import { accept, receiver, type Receiver } from './receiver.js';

type Extra = Awaited<ReturnType<OwnStack['start']>>;

/** This spec has its own stack: requests of other specs would be lost with the process that is killed here. */
let own: OwnStack;
let origin: string;
let admin: Client;
const closing: (() => Promise<unknown>)[] = [];

/** The number of old rows to delete: more than one statement deletes. */
const OLD_ROWS = 5_001;
const oldRowsOf = randomUUID();
let doomed: Extra;
let scheduling: Extra;

beforeAll(async () => {
  own = await ownStack();
  admin = new Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  const all = ['gateway', ...serviceNames];
  const started = await Promise.all(all.map((service) => own.start(service)));
  origin = started[0]?.origin ?? '';
  scheduling = started[all.indexOf('scheduling')] as Extra;
  await addRows(OLD_ROWS, '30 days 1 second');
  await addRows(1, '29 days 23 hours');
  [doomed] = await Promise.all([delivering('doomed'), delivering('cut')]);
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await admin.end();
  await own.stop();
});

const addRows = (count: number, age: string): Promise<unknown> =>
  admin.query(
    `INSERT INTO webhooks.webhook_deliveries (therapist_id, id, webhook_id, event_id, type, at, attempt, status, duration_ms)
     SELECT $1, gen_random_uuid(), $1, 'one', 'Ping', now() - $3::interval, 1, 'delivered', 1 FROM generate_series(1, $2)`,
    [oldRowsOf, count, age],
  );

const COUNT = 12;
const names = Array.from({ length: COUNT }, (_, index) => `Client ${index}`);

/** A process whose sessions of Postgres have a name, so that its claims can be found. */
function delivering(name: string): Promise<Extra> {
  const url = new URL(own.databaseUrl('webhooks_relay'));
  url.searchParams.set('application_name', name);
  return own.start('webhooks', { RELAY_DATABASE_URL: url.href });
}

interface Served {
  readonly practice: Practice;
  readonly hook: Made;
  readonly to: Receiver;
  /** The response to the request in the middle, which the receiver holds back. */
  readonly held: () => ServerResponse | undefined;
  /** The largest number of requests at the same time. */
  readonly atOnce: () => number;
}

/** A paused webhook that has missed events. When it begins, it gets them up to one in the middle. */
async function paused(): Promise<Served & { readonly begin: () => Promise<void> }> {
  const practice = await newPractice(origin);
  let held: ServerResponse | undefined;
  let open = 0;
  let atOnce = 0;
  const to = await receiver((response, received) => {
    open += 1;
    atOnce = Math.max(atOnce, open);
    response.on('close', () => (open -= 1));
    if (held === undefined && to.received.length === COUNT / 2) held = response;
    else accept(response, received);
  });
  closing.push(to.close);
  const hook = await make(practice, 'webhooks', {
    ...{ url: to.url, event_types: ['ClientRegistered'], status: 'paused' },
  });
  await makeAll(
    practice,
    'clients',
    names.map((name) => ({ name })),
  );
  const begin = async (): Promise<void> => {
    // The process that takes this change usually delivers.
    await patch(practice, 'webhooks', { id: hook.id, status: 'active' });
    await eventually('the receiver lets a request wait', () => held !== undefined);
  };
  return { practice, hook, to, held: () => held, atOnce: () => atOnce, begin };
}

/**
 * Begins webhooks until both processes that will be interrupted have one. Their requests must not wait until the sender's limit of time
 * on a busy machine, so the webhooks are made before, and only a few begin.
 * @returns the webhooks that have begun, and the sessions that hold their claims; undefined if one of the processes has none
 */
async function beginning() {
  const made: Awaited<ReturnType<typeof paused>>[] = [];
  for (let count = 0; count < 6; count += 1) made.push(await paused());
  const begun: Served[] = [];
  const heldBy = new Map<string, { readonly pid: number; readonly served: Served[] }>();
  for (const one of made) {
    await one.begin();
    begun.push(one);
    const { name, pid } = (await holderOf(one)) ?? { name: 'none', pid: 0 };
    heldBy.set(name, { pid, served: [...(heldBy.get(name)?.served ?? []), one] });
    const [killed, cut] = [heldBy.get('doomed'), heldBy.get('cut')];
    if (killed && cut) return { begun, cutPid: cut.pid, interrupted: [...killed.served, ...cut.served] };
  }
  for (const { held } of begun) held()?.writeHead(204).end();
  return undefined;
}

/** The session that holds the claim to a webhook. */
async function holderOf({ hook }: Served): Promise<{ pid: number; name: string } | undefined> {
  const { rows } = await admin.query<{ pid: number; name: string }>(
    `SELECT a.pid, a.application_name AS name FROM webhooks.webhook_progress AS p
     JOIN pg_locks AS l ON l.locktype = 'advisory' AND l.objsubid = 1
       AND (l.classid::bigint << 32) | l.objid::bigint = hashtext('webhooks holder ' || p.holder)::bigint
     JOIN pg_stat_activity AS a ON a.pid = l.pid WHERE p.id = $1 AND p.lease IS NOT NULL`,
    [hook.id],
  );
  return rows[0];
}

it('a process deletes all deliveries after 30 days, and no newer deliveries', async () => {
  const left = async (): Promise<number> =>
    (await admin.query('SELECT FROM webhooks.webhook_deliveries WHERE therapist_id = $1', [oldRowsOf]))
      .rowCount ?? 0;
  await eventually('the old rows are gone', async () => (await left()) <= 1);
  expect(await left()).toBe(1);
  await admin.query('DELETE FROM webhooks.webhook_deliveries WHERE therapist_id = $1', [oldRowsOf]);
});

it('a webhook continues in order after a process is killed or its session ends, one request at a time', async () => {
  let both: Awaited<ReturnType<typeof beginning>>;
  for (let rounds = 0; both === undefined; rounds += 1) {
    expect(rounds).toBeLessThan(10);
    both = await beginning();
  }
  const { begun: all, cutPid, interrupted } = both;
  process.kill(doomed.pid, 'SIGKILL');
  await admin.query('SELECT pg_terminate_backend($1)', [cutPid]);
  for (const one of all) if (!interrupted.includes(one)) one.held()?.writeHead(204).end();

  for (const one of all) {
    const { to, hook, practice } = one;
    const repeated = interrupted.includes(one) ? 1 : 0;
    await eventually('every event has arrived', () => to.received.length >= COUNT + repeated);
    const got = to.received.map(({ event }) => (event.data as { name: string }).name);
    // Only the interrupted event comes again.
    if (repeated === 1) expect(got.splice(COUNT / 2, 1)).toEqual([names[COUNT / 2 - 1]]);
    expect(got).toEqual(names);
    expect(one.atOnce()).toBe(1);
    const noted = (): Promise<object[]> =>
      rowsOf(practice, `webhook_deliveries?webhook_id=eq.${hook.id}&select=attempt,status`);
    await eventually('every attempt is noted', async () => (await noted()).length === COUNT);
    expect(new Set((await noted()).map((row) => JSON.stringify(row)))).toEqual(
      new Set(['{"attempt":1,"status":"delivered"}']),
    );
  }
});

it('a new webhook gets events of other services while one service is unavailable, and its events later', async () => {
  const practice = await newPractice(origin);
  const to = await receiver();
  closing.push(to.close);
  await scheduling.stop();
  await make(practice, 'webhooks', { url: to.url });
  await make(practice, 'clients', { name: 'Ada' });
  await eventually('the client has arrived', () => to.types().includes('ClientRegistered'));
  await own.start('scheduling');
  const booked = { date: '2030-01-07', start_time: '09:00', end_time: '10:00' };
  await make(practice, 'appointments', booked);
  await eventually('the appointment has arrived', () => to.types().includes('AppointmentScheduled'));
  expect(to.types().filter((type) => type === 'ClientRegistered')).toHaveLength(1);
});
