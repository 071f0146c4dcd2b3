import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LOG_RESTORED, type LogRestored } from '@practice/contracts';
import { replay, subscribe, connect, type PublishedEvent } from '@practice/bus';
import {
  eventually,
  make,
  newPractice,
  npmRun,
  patch,
  slot,
  startStack,
  templateFolder,
  withClient,
} from '@practice/testing';
import type { Made, Practice, ProgramRun, Stack } from '@practice/testing';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

const dataDir = join(tmpdir(), `practice-restored-${randomUUID()}`);
const copy = `${dataDir}-copy`;
let own: Stack;
let signedUp: Practice;
let practice: Practice;

async function start(): Promise<string> {
  own = await startStack({ settings: { DATA_DIR: dataDir }, onlyServers: true });
  const services = ['gateway', 'identity', 'clients', 'scheduling'];
  const [gateway] = await Promise.all(services.map((service) => own.spawnProcess(service)));
  return gateway?.origin ?? '';
}

/** The positions that an outside subscriber keeps, by service. It follows the rules in docs/events.md. */
const kept = new Map<string, { position: number; epoch: number; id: string }[]>();
const told: PublishedEvent[] = [];

function take(event: PublishedEvent): void {
  const { service, position, epoch = 0, type, data, metadata } = event;
  if (event.therapistId !== practice.therapistId) return;
  const events = kept.get(service) ?? [];
  kept.set(service, events);
  if (type === LOG_RESTORED) {
    told.push(event);
    const { after, epoch: begun } = data as LogRestored;
    kept.set(
      service,
      events.filter((one) => one.position <= after || one.epoch >= begun),
    );
    return;
  }
  const last = events.at(-1);
  const isNewer =
    last === undefined || (epoch ?? 0) > last.epoch || (epoch === last.epoch && position > last.position);
  if (isNewer) events.push({ position, epoch: epoch ?? 0, id: metadata.eventId });
}

async function listening<T>(work: () => Promise<T>): Promise<T> {
  const logger = { info() {}, warn() {}, error() {} };
  const bus = await connect({ url: own.natsUrl('admin'), name: 'reminders', logger });
  const subscription = await subscribe<Record<string, object>>({
    connection: bus,
    name: 'reminders',
    handler: take,
  });
  try {
    return await work();
  } finally {
    await subscription.stop();
    await bus.close();
  }
}

const ask = <Row extends object>(text: string): Promise<Row[]> =>
  withClient(
    own.adminDatabaseUrl,
    async (client) => (await client.query<Row>(text, [practice.therapistId])).rows,
  );

/** The ids of the events of a log, in order. */
const logged = async (schema: string): Promise<string[]> =>
  (
    await ask<{ id: string }>(
      `SELECT metadata ->> 'eventId' AS id FROM ${schema}.events WHERE therapist_id = $1 ORDER BY position`,
    )
  ).map(({ id }) => id);

/** The appointments whose version in the mirror of clients differs from the owner's version. */
const differing = (): Promise<object[]> =>
  ask(`SELECT id, m.version, a.version FROM (SELECT id, version FROM clients.mirror WHERE therapist_id = $1 AND resource = 'appointments') AS m
    FULL JOIN (SELECT stream_id AS id, max(version) AS version FROM scheduling.events
      WHERE therapist_id = $1 AND aggregate = 'appointment' GROUP BY 1) AS a USING (id) WHERE m.version IS DISTINCT FROM a.version`);

const isHeard = async (): Promise<boolean> => {
  for (const service of ['clients', 'scheduling']) {
    const ids = (kept.get(service) ?? []).map(({ id }) => id);
    if (ids.join() !== (await logged(service)).join()) return false;
  }
  return true;
};

const settled = async (): Promise<void> => {
  await eventually('the mirror equals its owner', async () => (await differing()).length === 0);
  await eventually('the subscriber has the present log', isHeard);
};

beforeAll(async () => {
  execFileSync('cp', ['-a', templateFolder(), dataDir]);
  signedUp = await newPractice(await start());
  practice = signedUp;
});

afterAll(async () => {
  await own.stop();
  for (const folder of [dataDir, copy]) rmSync(folder, { recursive: true, force: true });
});

it('after a database is restored beside a kept stream, undone events are deleted and new ones reach every subscriber once', async () => {
  const client = await make(practice, 'clients', { name: 'Ada' });
  const [first, second] = [await book(client, 0), await book(client, 1)];
  await listening(settled);
  await own.stop();
  execFileSync('cp', ['-a', join(dataDir, 'postgres'), copy]);

  await again();
  await patch(practice, 'appointments', { id: first.id, status: 'completed' });
  await patch(practice, 'clients', { id: client.id, name: 'Undone' });
  await book(client, 2);
  await listening(settled);
  await own.stop();
  rmSync(join(dataDir, 'postgres'), { recursive: true });
  execFileSync('cp', ['-a', copy, join(dataDir, 'postgres')]);

  await again();
  await patch(practice, 'appointments', { id: second.id, status: 'confirmed' });
  await patch(practice, 'clients', { id: client.id, name: 'Ada Lovelace' });
  await book(client, 3);
  await book(client, 4);
  await listening(settled);

  expect(new Set(told.map(({ service }) => service))).toEqual(new Set(['clients', 'scheduling']));
  const seen = await practice.rest('clients?select=name,total_visits');
  expect(seen.json).toEqual([{ name: 'Ada Lovelace', total_visits: 0 }]);
  const stream = await inStream();
  expect(stream).not.toContain('Undone');
  expect(stream).toContain('Ada Lovelace');
});

it('after a database is restored without the stream, the command begins epochs, but refuses while the system runs', async () => {
  const restored = (): Promise<ProgramRun> => npmRun('log', ['restored'], dataDir);
  const refused = await restored();
  expect(refused).toEqual({ status: 2, output: 'The system runs. Stop it first.\n' });
  await own.stop();
  for (const folder of ['nats', 'postgres']) rmSync(join(dataDir, folder), { recursive: true });
  execFileSync('cp', ['-a', copy, join(dataDir, 'postgres')]);
  told.length = 0;

  expect(await restored()).toEqual({
    status: 0,
    output: expect.stringContaining('clients: the log of 1 practices was restored'),
  });
  await again();
  await book(await make(practice, 'clients', { name: 'Grace' }), 5);
  await listening(settled);

  for (const service of ['clients', 'scheduling']) {
    const begun = told.filter((event) => event.service === service).map(({ epoch }) => epoch);
    expect([service, new Set(begun)]).toEqual([service, new Set([kept.get(service)?.at(-1)?.epoch])]);
  }
});

const book = (client: Made, index: number): Promise<Made> =>
  make(practice, 'appointments', { client_id: client.id, ...slot(index) });

/** Starts the system again; the practice's calls go to the new gateway. */
async function again(): Promise<void> {
  const origin = await start();
  practice = { ...practice, rest: (path, call) => signedUp.rest(path, { origin, ...call }) };
}

/** The text of all messages of the practice in the stream. */
async function inStream(): Promise<string> {
  const logger = { info() {}, warn() {}, error() {} };
  const bus = await connect({ url: own.natsUrl('admin'), name: 'reader', logger });
  const events: PublishedEvent[] = [];
  for await (const { event } of replay({
    connection: bus,
    subjects: [`practice.events.*.${practice.therapistId}.>`],
  }))
    events.push(event);
  await bus.close();
  return JSON.stringify(events);
}
