import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { replay, STREAM, subscribe, connect, type Connection } from '@practice/bus';
import { eventually, find, make, newPractice, ownStack, patch, slot } from '@practice/testing';
import type { Made, OwnStack, Practice } from '@practice/testing';
import { rebuildMirror } from '../rebuild/mirror/rebuild-mirror.js';
import pg from 'pg';

let own: OwnStack;
let clients: Awaited<ReturnType<OwnStack['start']>>;
let practice: Practice;
let bus: Connection;
let admin: pg.Client;

beforeAll(async () => {
  own = await ownStack();
  const services = ['gateway', 'clients', 'identity', 'scheduling'];
  const [gateway, second] = await Promise.all(services.map((service) => own.start(service)));
  clients = second as typeof clients;
  practice = await newPractice(gateway?.origin);
  const logger = { info() {}, warn() {}, error() {} };
  bus = await connect({ url: own.natsUrl('admin'), name: 'lost events spec', logger });
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await bus.close();
  await own.stop();
});

const bookFor = (client: Made, index: number): Promise<Made> =>
  make(practice, 'appointments', { client_id: client.id, ...slot(index) });

const versionInMirror = async ({ id }: Made, service = 'clients'): Promise<number> => {
  const { rows } = await admin.query<{ version: number }>(
    `SELECT version FROM ${service}.mirror WHERE id = $1`,
    [id],
  );
  return rows[0]?.version ?? 0;
};

const visitsOf = async (client: Made): Promise<unknown> =>
  (await find(practice, 'clients', client.id))?.['total_visits'];

it('a follower fetches events from their owner when the stream did not deliver them, and goes on', async () => {
  const client = await make(practice, 'clients', { name: 'Ada' });
  const appointment = await bookFor(client, 0);
  await eventually('the booking has arrived', async () => (await versionInMirror(appointment)) === 1);
  // The mirror is now in the same state as if the message of the booking had been lost.
  await admin.query(`DELETE FROM clients.mirror WHERE id = $1`, [appointment.id]);

  await patch(practice, 'appointments', { id: appointment.id, status: 'completed' });

  await eventually('the visit is counted', async () => (await visitsOf(client)) === 1);
  expect(await versionInMirror(appointment)).toBe(2);
});

/** Makes every message expire and leave the stream. */
async function expire(): Promise<void> {
  const { streams } = await jetstreamManager(bus.nats, { checkAPI: false });
  const { config } = await streams.info(STREAM);
  await streams.update(STREAM, { max_age: 200_000_000, duplicate_window: 200_000_000 });
  await eventually('the stream is empty', async () => (await streams.info(STREAM)).state.messages === 0);
  await streams.update(STREAM, { max_age: config.max_age, duplicate_window: config.duplicate_window });
}

/** Makes the stream drop its messages by its size, and have a limit of size only. Later messages fit. */
async function crowdOut(): Promise<void> {
  const { streams } = await jetstreamManager(bus.nats, { checkAPI: false });
  const bySize = { discard: DiscardPolicy.Old, max_age: 0 };
  await streams.update(STREAM, { ...bySize, max_bytes: 1 });
  await eventually('the stream is empty', async () => (await streams.info(STREAM)).state.messages === 0);
  await streams.update(STREAM, { ...bySize, max_bytes: 50_000_000 });
}

it.each([
  ['early', 'their age', expire],
  ['late', 'the size of the stream', crowdOut],
])(
  'a subscription that begins %s, after events have left the stream because of %s, gets all from the logs, in order',
  async (name, _, drop) => {
    const { rows } = await admin.query<{ count: string }>('SELECT count(*) FROM scheduling.events');
    expect(Number(rows[0]?.count)).toBeGreaterThan(0);
    await drop();
    const seen: number[] = [];
    const subscription = await subscribe({
      ...{ connection: bus, name, subjects: ['practice.events.scheduling.>'] },
      handler: ({ therapistId, position }) =>
        void (therapistId === practice.therapistId && seen.push(position)),
    });
    const present = async (): Promise<number> => {
      const text = 'SELECT max(position) AS last FROM scheduling.events WHERE therapist_id = $1';
      return Number((await admin.query(text, [practice.therapistId])).rows[0].last);
    };
    await eventually('all of them came', async () => seen.at(-1) === (await present()));
    await subscription.stop();
    expect(seen).toEqual(Array.from({ length: await present() }, (_, index) => index + 1));
  },
);

it('a mirror that was stopped until events expired from the stream gets all events, and a rebuild finds no difference', async () => {
  const client = await make(practice, 'clients', { name: 'Emmy' });
  const isKnown = async (): Promise<boolean> => (await versionInMirror(client, 'scheduling')) === 1;
  await eventually('scheduling knows the client', isKnown);
  await clients.stop();
  const appointment = await bookFor(client, 2);
  await patch(practice, 'appointments', { id: appointment.id, status: 'completed' });
  const outbox = async (): Promise<unknown> =>
    (await admin.query('SELECT FROM scheduling.outbox LIMIT 1')).rowCount;
  await eventually('they are in the stream', async () => (await outbox()) === 0);
  await expire();

  clients = await own.start('clients');

  await eventually('the visit is counted', async () => (await visitsOf(client)) === 1);
  await expire();
  const input = { service: 'clients', url: own.adminDatabaseUrl, check: true };
  const asClients = await connect({ url: own.natsUrl('clients'), name: 'spec', logger: bus.logger });
  const mirrored = { appointments: ['client_id', 'status'] };
  const report = await rebuildMirror({ ...input, connection: asClients, mirrored });
  await asClients.close();
  expect(report).toMatchObject({ findings: [], partial: 0, unexplained: 0 });
});

it('a stream that was deleted is created again and filled from the logs, and followers go on', async () => {
  const client = await make(practice, 'clients', { name: 'Grace' });
  const appointment = await bookFor(client, 1);
  await eventually('the booking has arrived', async () => (await versionInMirror(appointment)) === 1);
  const streams = await jetstreamManager(bus.nats, { checkAPI: false });
  await streams.streams.delete(STREAM);

  await patch(practice, 'appointments', { id: appointment.id, status: 'completed' });

  // A follower detects that its consumer no longer exists when some heartbeats are missing.
  const isCounted = async (): Promise<boolean> => (await visitsOf(client)) === 1;
  await eventually('the visit is counted', isCounted).catch(() => eventually('it is counted', isCounted));
  const events = new Set<string>();
  const logged = async (): Promise<number> => {
    const logs = ['clients', 'scheduling', 'identity'].map(
      (schema) => `SELECT count(*) FROM ${schema}.events`,
    );
    const { rows } = await admin.query<{ count: string }>(logs.join(' UNION ALL '));
    return rows.reduce((sum, { count }) => sum + Number(count), 0);
  };
  await eventually('every event is in the stream', async () => {
    for await (const { event } of replay({ connection: bus, subjects: ['practice.events.>'] }))
      events.add(event.metadata.eventId);
    return events.size === (await logged());
  });
  expect(await visitsOf(client)).toBe(1);
});
