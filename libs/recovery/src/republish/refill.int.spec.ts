// A lost stream is filled from the log, and an event interrupts the refill. Uses the real stream and the real log.

import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { isBackfillOpen, requestBackfill, sharedTables, startRelay } from '@practice/log';
import type { Publish, Relay } from '@practice/log';
import { createPublisher, replay, STREAM, connect, type Connection } from '@practice/bus';
import { eventually, scratchService, stack, type Wire, wireTo, type ScratchService } from '@practice/testing';
import type { Client } from 'pg';
import { keptBeginning } from '../testing/kept-beginning.js';
import { appendLamps, upTo } from '../testing/lamps-log.js';

let log: ScratchService;
let admin: Client;
let wire: Wire;
/** The relay's connection, which can be cut, and a second connection, which stays open. */
let cuttable: Connection;
let bus: Connection;
let relay: Relay;
/** Called before each round of a refill, with the number of the round. */
let beforeRound: (round: number) => Promise<unknown>;
/** The number of events in each round. */
let rounds: number[];
let errors: unknown[];

beforeAll(keptBeginning);

beforeEach(async () => {
  log = await scratchService(sharedTables);
  admin = await log.connect();
  wire = await wireTo(stack().natsUrl('admin'));
  const logger = { info() {}, warn() {}, error() {} };
  const at = (url: string) => connect({ url, name: 'refill spec', logger });
  [cuttable, bus] = await Promise.all([at(wire.url), at(stack().natsUrl('admin'))]);
  beforeRound = () => Promise.resolve();
  [rounds, errors] = [[], []];
});

afterEach(async () => {
  await relay.stop();
  await cuttable.close();
  await bus.close();
  await wire.close();
  await log.drop();
});

/** Starts the relay of the log. */
function start(): void {
  const connection = cuttable;
  const { service } = log;
  const publishing = createPublisher({ connection, service });
  const begin = (): Publish => {
    const { publish } = createPublisher({ connection, service, again: randomUUID() });
    return async (events) => {
      rounds.push(events.length);
      await beforeRound(rounds.length);
      return publish(events);
    };
  };
  relay = startRelay({
    service,
    databaseUrl: log.url('relay'),
    bus: publishing,
    refill: { begin, eventsOf: ({ events }) => events, done: () => undefined },
    onError: (error) => errors.push(error),
  });
}

const subject = (): string => `practice.events.${log.service}.>`;

async function purge(): Promise<void> {
  const { streams } = await jetstreamManager(bus.nats, { checkAPI: false });
  await streams.purge(STREAM, { filter: subject() });
}

/** The events of the log that are in the stream, in the order of the stream. */
async function inStream(): Promise<{ practice: string; position: number }[]> {
  const found: { practice: string; position: number }[] = [];
  for await (const { event } of replay({ connection: bus, subjects: [subject()] }))
    found.push({ practice: event.therapistId, position: event.position });
  return found;
}

/** A practice's positions in the order of the stream, without repetitions. */
const firstArrivals = (all: { practice: string; position: number }[], practice: string): number[] => [
  ...new Set(all.filter((one) => one.practice === practice).map(({ position }) => position)),
];

const count = async (text: string): Promise<number> =>
  (await admin.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${log.service}.${text}`)).rows[0]
    ?.count ?? 0;

const isRelayed = async (): Promise<boolean> => (await count('outbox')) === 0;
const isRefilled = async (): Promise<boolean> => (await isRelayed()) && (await count('refill')) === 0;

/** Creates practices of these sizes whose events are published and then lost from the stream. @returns their ids */
async function lostPractices(sizes: readonly number[]): Promise<string[]> {
  const practices = sizes.map(() => randomUUID());
  for (const [index, practice] of practices.entries()) await appendLamps(log, practice, sizes[index] ?? 0);
  start();
  await eventually('everything is published', isRelayed);
  await relay.stop();
  await purge();
  return practices;
}

/** The sizes of 40 practices. A round of a refill has 32 practices. */
const FORTY = upTo(40).map(() => 3);

const killRelay = (): Promise<unknown> =>
  admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1`, [
    `${log.service} relay`,
  ]);

it('goes on after the leader was killed, without publishing noted events again', async () => {
  const practices = await lostPractices(FORTY);
  beforeRound = (round) => (round === 2 ? killRelay() : Promise.resolve());
  start();
  await eventually('the stream is filled', async () => rounds.length === 3 && (await isRefilled()));

  // The last round of the killed leader was published but not noted.
  expect(rounds).toEqual([96, 24, 24]);
  const found = await inStream();
  for (const practice of practices) expect(firstArrivals(found, practice)).toEqual([1, 2, 3]);
  expect(errors).not.toEqual([]);
});

it('repeats the practices whose events the stream lost again while the connection was lost', async () => {
  const practices = await lostPractices(FORTY);
  beforeRound = async (round) => {
    if (round !== 2) return;
    wire.cut();
    await purge();
    wire.restore();
  };
  start();
  await eventually('the stream is filled', async () => rounds.length > 2 && (await isRefilled()));

  const found = await inStream();
  for (const practice of practices) expect(firstArrivals(found, practice)).toEqual([1, 2, 3]);
});

it('goes on after a lost connection without the noted events, if the stream still has them', async () => {
  const practices = await lostPractices(FORTY);
  beforeRound = (round) => {
    if (round === 2) {
      wire.cut();
      wire.restore();
    }
    return Promise.resolve();
  };
  start();
  await eventually('the stream is filled', async () => rounds.length > 2 && (await isRefilled()));

  expect([rounds[0], rounds.at(-1)]).toEqual([96, 24]);
  const found = await inStream();
  for (const practice of practices) expect(firstArrivals(found, practice)).toEqual([1, 2, 3]);
});

it('publishes new events in between, unless older events of their practice are still missing', async () => {
  const [long, short] = (await lostPractices([3000, 3])) as [string, string];
  beforeRound = async (round) => {
    if (round !== 2) return;
    await appendLamps(log, long, 1);
    await appendLamps(log, short, 1);
  };
  start();
  await eventually('the stream is filled', async () => rounds.length > 2 && (await isRefilled()));

  const found = await inStream();
  expect(firstArrivals(found, long)).toEqual(upTo(3001));
  expect(firstArrivals(found, short)).toEqual(upTo(4));
  const at = (practice: string, position: number): number =>
    found.findIndex((one) => one.practice === practice && one.position === position);
  expect(at(short, 4)).toBeLessThan(at(long, 3000));
  // At most 512 events of each of the two practices, and then 1024 of the long one.
  expect(rounds.slice(0, 2)).toEqual([515, 1024]);
});

it('publishes everything once more for a subscriber that asks during the refill', async () => {
  const practices = await lostPractices(FORTY);
  const id = randomUUID();
  const ask = async (
    { text, values } = requestBackfill(log.service, { id, since: null }),
  ): Promise<unknown> => {
    await admin.query(text, values as unknown[]);
    return relay.compare();
  };
  let before = 0;
  beforeRound = async (round) => {
    if (round !== 2) return;
    before = (await inStream()).length;
    await ask();
  };
  start();
  const isOpen = async (): Promise<boolean> => {
    const { text, values } = isBackfillOpen(log.service, id);
    return (await admin.query(text, values as unknown[])).rowCount !== 0;
  };
  await eventually('it is answered', async () => before > 0 && !(await isOpen()));

  const found = (await inStream()).slice(before);
  for (const practice of practices) expect(firstArrivals(found, practice)).toEqual([1, 2, 3]);
  expect(await count('refill')).toBe(0);
});
