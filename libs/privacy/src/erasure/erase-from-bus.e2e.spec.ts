import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, createPublisher, type Connection } from '@practice/bus';
import { resourcesOf } from '@practice/contracts';
import { tryLock } from '@practice/log';
import { createLogger } from '@practice/process';
import { republish } from '@practice/recovery';
import { CrossTenantConnection } from '@practice/storage';
import { adminDatabase, eventually, make, newPractice, stack } from '@practice/testing';
import type { Practice } from '@practice/testing';
import pg from 'pg';
import { ErasedParts } from './erased-parts.js';
import { eraseFromBus, type BusErasure } from './erase-from-bus.js';

const service = 'clients';
const admin = adminDatabase();
let connection: Connection;
let crossTenant: CrossTenantConnection;
let tools: BusErasure;
/** The connection of another process of the service. */
let other: pg.Client;

beforeAll(async () => {
  const url = stack().databaseUrl('clients_relay');
  connection = await connect({
    url: stack().natsUrl(service),
    name: 'spec',
    logger: createLogger('spec', 'silent'),
  });
  crossTenant = new CrossTenantConnection(service, url, () => undefined);
  const { publish } = createPublisher({ connection, service });
  tools = {
    ...{ connection, crossTenant, relayUrl: url },
    republish: ({ therapistId: practice }, records) =>
      republish({ service, url, publish, resources: resourcesOf(service), practice, records }),
  };
});

afterAll(async () => {
  await crossTenant.close();
  await connection.close();
});

/** Makes clients. @returns their ids, which are the ids of their records too */
async function makeClients(practice: Practice, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await make(practice, 'clients', { name: 'Ada' })).id);
  return ids;
}

/** A process's parts of erasures. It only erases from the bus, so it reads no part. */
const partsOf = (bus: BusErasure) => new ErasedParts({ service, reads: undefined as never }, bus);

/** Holds the lock of the erasures as another process of the service does. */
async function holdLock(): Promise<void> {
  other = new pg.Client({ connectionString: stack().databaseUrl('clients_relay') });
  other.on('error', () => undefined);
  await other.connect();
  await eventually('the other process has the lock', () => tryLock(other, `erasure ${service}`));
}

const releaseLock = () => other.end();

/** The connections that ask for the lock. Other processes of the service may have some of them. */
async function asking(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'clients erasure' AND query LIKE '%pg_try_advisory_lock%'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Waits until a connection asks for the lock that did not ask `before`. */
const asked = (before: readonly number[]) =>
  eventually('the process asks for the lock', async () =>
    (await asking()).some((pid) => !before.includes(pid)),
  );

it('a process waits while another process of the service erases from the bus', async () => {
  const practice = await newPractice();
  const clients = await makeClients(practice, 1);
  await holdLock();
  const before = await asking();
  let outcome: number | 'waiting' = 'waiting';
  const erased = eraseFromBus(tools, { service, therapistId: practice.therapistId, clients }).then(
    (deleted) => (outcome = deleted),
  );
  await asked(before);
  await pause(200);
  expect(outcome).toBe('waiting');
  await releaseLock();
  await erased;
  expect(outcome).toBe(1);
});

it('the requests for a practice share an erasure until it begins', async () => {
  const practice = await newPractice();
  const { therapistId } = practice;
  const erasures: string[][] = [];
  const parts = partsOf({
    ...tools,
    republish: (erasing, records) => {
      erasures.push([...records].sort());
      return tools.republish(erasing, records);
    },
  });
  const first = await makeClients(practice, 1);
  await holdLock();
  const before = await asking();
  const requests = first.map((id) => parts.eraseFromBus(therapistId, id));
  await asked(before);
  const later = await makeClients(practice, 3);
  requests.push(...later.map((id) => parts.eraseFromBus(therapistId, id)));
  await releaseLock();
  await Promise.all(requests);
  expect(erasures).toEqual([first, later.sort()]);
});

it('a practice whose events are not published does not hold the erasures of others', async () => {
  const [stuck, well] = [await newPractice(), await newPractice()];
  const clients = await makeClients(stuck, 1);
  const parts = partsOf(tools);
  const erase = ({ therapistId }: Practice, [id = '']: readonly string[]) =>
    parts.eraseFromBus(therapistId, id);
  const { therapistId } = stuck;
  await admin.query(`INSERT INTO clients.outbox (therapist_id, position) VALUES ($1, 1000)`, [therapistId]);
  const refused = expect(erase(stuck, clients)).rejects.toMatchObject({ problem: { code: 'PM503' } });
  await erase(well, await makeClients(well, 1));
  await refused;
  await admin.query('DELETE FROM clients.outbox WHERE therapist_id = $1', [therapistId]);
  expect(await eraseFromBus(tools, { service, therapistId, clients })).toBe(1);
});
