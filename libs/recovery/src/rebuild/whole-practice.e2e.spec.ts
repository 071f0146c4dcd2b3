// After any concurrent requests, once all events are handled, all services agree with their logs and with each other.

import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { catalog, resourcesOf } from '@practice/contracts';
import type { Resource } from '@practice/resource';
import { adminDatabase, eventually, newPractice, slot, stack, write, type Practice } from '@practice/testing';
import fc from 'fast-check';
import { tableOf } from '@practice/storage';
import type { Difference } from './differences.js';
import { rebuild } from './rebuild.js';

const services = ['scheduling', 'clients', 'clinical-notes', 'finance'];

/** The mirrors of the services. */
const mirrors: readonly (readonly [service: string, resource: string, columns: readonly string[]])[] = [
  ['scheduling', 'clients', ['name']],
  ['clients', 'appointments', ['client_id', 'status']],
  ['clients', 'sessions', ['client_id']],
  ['clinical-notes', 'clients', []],
  ['clinical-notes', 'appointments', ['client_id']],
];

const admin = adminDatabase();

const schema = (service: string): string => service.replaceAll('-', '_');
const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const pools = { clients: ids(5), appointments: ids(10), sessions: ids(5), services: ids(3), others: ids(4) };
const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const [aClient, anAppointment, aService] = [
  one(...pools.clients),
  one(...pools.appointments),
  one(...pools.services),
];

// Far above 0, because at 0 undone visits would no longer be subtracted.
const balance = fc.integer({ min: 100, max: 200 });
const status = one('scheduled', 'confirmed', 'completed', 'completed', 'cancelled', 'no_show');
const clientName = one('Client Ada', 'Client Bo', 'Client Cy');
const booking = {
  client_id: fc.option(aClient),
  status,
  client_name: one(undefined, undefined, 'by hand'),
  service_id: one(undefined, undefined, null, ...pools.services),
  allow_overlap: one(undefined, true),
};
const changedBooking = fc.record({ ...booking, notes: one('a', 'b'), status }, { requiredKeys: [] });

type Request = readonly [path: string, method: string, body?: object];
const request = (path: fc.Arbitrary<string>, method: string, body?: fc.Arbitrary<object>) =>
  body === undefined
    ? path.map((at): Request => [at, method])
    : fc.tuple(path, body).map(([at, sent]): Request => [at, method, sent]);
const create = (resource: string, body: fc.Arbitrary<object>) => request(fc.constant(resource), 'POST', body);
const at = (resource: string, id: fc.Arbitrary<string>) => id.map((key) => `${resource}?id=eq.${key}`);
const appointment = fc
  .tuple(anAppointment, fc.record(booking), fc.nat(40))
  .map(([id, record, when]) => ({ id, ...slot(when), ...record }));
const note = { client_id: aClient, appointment_id: fc.option(anAppointment), plan: one('rest', 'exercise') };
const someNote = at('sessions', one(...pools.sessions));
const other = one(...pools.others);

const requests: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: create('appointments', appointment) },
  {
    weight: 2,
    arbitrary: create(
      'appointments',
      fc.uniqueArray(appointment, { maxLength: 3, selector: ({ id }) => id }),
    ),
  },
  { weight: 12, arbitrary: request(at('appointments', anAppointment), 'PATCH', changedBooking) },
  { weight: 2, arbitrary: request(at('appointments', anAppointment), 'PATCH', fc.nat(40).map(slot)) },
  { weight: 3, arbitrary: request(at('appointments', anAppointment), 'DELETE') },
  request(fc.constant('appointments?status=eq.confirmed'), 'PATCH', fc.constant({ status: 'completed' })),
  { weight: 3, arbitrary: request(at('clients', aClient), 'PATCH', fc.record({ name: clientName })) },
  request(at('clients', aClient), 'PATCH', fc.record({ total_visits: balance, status: one('inactive') })),
  request(at('clients', aClient), 'DELETE'),
  { weight: 3, arbitrary: create('sessions', fc.record({ id: one(...pools.sessions), ...note })) },
  { weight: 2, arbitrary: request(someNote, 'PATCH', fc.record(note, { requiredKeys: [] })) },
  request(someNote, 'DELETE'),
  create('conversation_log', fc.record({ client_id: aClient, content: one('hello', 'good bye') })),
  create('service_menu', fc.record({ id: aService, name: one('A'), duration: one(50), price: one(1) })),
  request(at('service_menu', aService), 'PATCH', fc.record({ capacity: one(1, 2) })),
  request(at('service_menu', aService), 'DELETE'),
  create(
    'expenses',
    fc.record({ id: other, date: one('2026-01-01'), amount: one<number | string>(1, -2.5, '3.10') }),
  ),
  request(at('expenses', other), 'PATCH', fc.record({ vendor: one('A', null), amount: one(4, 5) })),
  request(at('expenses', other), 'DELETE'),
);

/** Sends the requests, six at a time, in no particular order. */
async function sendAll(practice: Practice, all: readonly Request[]): Promise<void> {
  for (let start = 0; start < all.length; start += 6) {
    const answers = all
      .slice(start, start + 6)
      .map(([path, method, body]) => write(practice, path, { method, ...(body && { body }) }));
    const failed = (await Promise.all(answers)).filter((answer) => answer.status >= 500);
    expect(failed.map((answer) => `${answer.status} ${answer.text}`)).toEqual([]);
  }
}

async function rowsOf<R>(text: string, practice: Practice): Promise<R[]> {
  return (await admin.query(text, [practice.therapistId])).rows as R[];
}

interface Remembered {
  readonly id: string;
  readonly version: number;
  readonly data: object | null;
}

/** The rows that a mirror should have: every record that ever existed, in its owner's present state. */
async function owned(practice: Practice, resource: Resource, columns: readonly string[]) {
  const members = ['id', ...columns].map((column) => `'${column}', r."${column}"`).join(', ');
  return rowsOf<Remembered>(
    `select e.stream_id as id, max(e.version) as version,
       case when r.id is null then null else jsonb_build_object(${members}) end as data
     from ${schema(resource.service)}.events e left join ${tableOf(resource)} r on (r.therapist_id, r.id) = (e.therapist_id, e.stream_id)
     where e.therapist_id = $1 and e.aggregate = '${resource.aggregate}' group by e.stream_id, r.therapist_id, r.id order by 1`,
    practice,
  );
}

/**
 * The rows that every mirror has and the rows that it should have, in one snapshot. Effects are committed together with the mirror
 * of their cause. So if mirrors and owners agree in one snapshot, all events are handled. Two snapshots could miss an event.
 */
async function mirrorsOf(practice: Practice): Promise<{ held: object[]; owed: object[] }> {
  const [held, owed]: [object[], object[]] = [[], []];
  await admin.query('begin isolation level repeatable read');
  for (const [service, name, columns] of mirrors) {
    const rows = await rowsOf<Remembered>(
      `select id, version, data from ${schema(service)}.mirror where therapist_id = $1 and resource = '${name}' order by 1`,
      practice,
    );
    held.push({ service, name, rows });
    owed.push({
      service,
      name,
      rows: await owned(practice, catalog.resources.get(name) as Resource, columns),
    });
  }
  await admin.query('commit');
  return { held, owed };
}

async function expectMirrors(practice: Practice): Promise<void> {
  let seen: Awaited<ReturnType<typeof mirrorsOf>> | undefined;
  await eventually('every service has handled all events', async () => {
    seen = await mirrorsOf(practice);
    return isDeepStrictEqual(seen.held, seen.owed);
  }).catch(() => undefined);
  expect(seen?.held).toEqual(seen?.owed);
}

async function differencesOf(practice: Practice, service: string): Promise<readonly Difference[]> {
  const input = { service, url: stack().databaseUrl(`${schema(service)}_owner`), check: true };
  const report = await eventually('no other rebuild runs', () =>
    rebuild({ ...input, resources: resourcesOf(service) }).catch((error: Error) => {
      if (error.message.startsWith('another rebuild')) return null;
      throw error;
    }),
  );
  return report?.differences.filter(({ therapistId }) => therapistId === practice.therapistId) ?? [];
}

async function expectLogs(practice: Practice): Promise<void> {
  for (const service of services) {
    const [log] = await rowsOf(
      `select count(*)::int as events, coalesce(max(position), 0)::int as last, coalesce((select position from
         ${schema(service)}.practice_head where therapist_id = $1), 0)::int as head
       from ${schema(service)}.events where therapist_id = $1`,
      practice,
    );
    const { events } = log as { events: number };
    expect([service, log]).toEqual([service, { events, last: events, head: events }]);
    expect([service, await differencesOf(practice, service)]).toEqual([service, []]);
  }
}

/** Expects that the visits counted and not uncounted are exactly the completed appointments. */
async function expectVisits(practice: Practice): Promise<void> {
  const visits = await rowsOf<{ counted: number; completed: number }>(
    `select c.id, c.total_visits,
       (select count(*) filter (where type = 'ClientVisitCounted') - count(*) filter (where type = 'ClientVisitUncounted')
          from clients.events e where (e.therapist_id, e.stream_id) = (c.therapist_id, c.id))::int as counted,
       (select count(*) from scheduling.appointments a
          where (a.therapist_id, a.client_id, a.status) = (c.therapist_id, c.id, 'completed'))::int as completed
     from clients.clients c where therapist_id = $1`,
    practice,
  );
  expect(visits.filter(({ counted, completed }) => counted !== completed)).toEqual([]);
}

/** Expects that each appointment has its client's present name, unless its name was entered by hand. */
async function expectNames(practice: Practice): Promise<void> {
  const strangers = await rowsOf(
    `select a.id, a.client_name, c.name from scheduling.appointments a
       join clients.clients c on (c.therapist_id, c.id) = (a.therapist_id, a.client_id)
     where a.therapist_id = $1 and a.client_name is distinct from c.name and a.client_name is distinct from 'by hand'`,
    practice,
  );
  expect(strangers).toEqual([]);
}

it('agrees with its logs, its mirrors and its counts after any commands', async () => {
  const property = fc.asyncProperty(
    fc.array(requests, { minLength: 120, maxLength: 120 }),
    fc.array(balance, { minLength: 5, maxLength: 5 }),
    async (all, balances) => {
      const practice = await newPractice();
      const clients = pools.clients.map((id, index) => ({
        id,
        name: 'Client Ada',
        total_visits: balances[index],
      }));
      await sendAll(practice, [['clients', 'POST', clients], ...all]);
      await expectMirrors(practice);
      await expectVisits(practice);
      await expectNames(practice);
      await expectLogs(practice);
    },
  );
  await fc.assert(property, { numRuns: 3, seed: 42, endOnFailure: true });
});
