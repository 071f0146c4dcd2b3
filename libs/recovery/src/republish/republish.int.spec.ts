import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { noteDeletions, sharedTables, startRelay, type Publish } from '@practice/log';
import { createPublisher, replay, STREAM, subscribe, connect } from '@practice/bus';
import type { PublishedEvent, Publisher, Connection } from '@practice/bus';
import { eventually, scratchService, stack, withClient, type ScratchService } from '@practice/testing';
import type { Client } from 'pg';
import { keptBeginning } from '../testing/kept-beginning.js';
import { appendLamps, upTo } from '../testing/lamps-log.js';
import { republish, type RepublishInput } from './republish.js';

let log: ScratchService;
let bus: Connection;
let publisher: Publisher;
let publish: Publish;
/** The start time of each refill of the relay. */
let refilled: (string | null)[];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(keptBeginning);

beforeEach(async () => {
  log = await scratchService(sharedTables);
  const logger = { info() {}, warn() {}, error() {} };
  bus = await connect({ url: stack().natsUrl('admin'), name: 'republish spec', logger });
  publisher = createPublisher({ connection: bus, service: log.service });
  ({ publish } = publisher);
  refilled = [];
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await bus.close();
  await log.drop();
});

const append = (therapistId: string, count: number): Promise<void> => appendLamps(log, therapistId, count);

/** Starts the log's relay. @returns a function that makes the relay compare its notes with the stream */
function relay(): () => void {
  const bus = { ...publisher };
  let interruptions = 0;
  const started = startRelay({
    service: log.service,
    databaseUrl: log.url('relay'),
    bus: { ...bus, interruptions: () => interruptions },
    refill: {
      begin: (_why, since) => {
        refilled.push(since);
        return publish;
      },
      eventsOf: ({ events }) => events,
      done: () => {},
    },
    onError: () => {},
  });
  closing.push(() => started.stop());
  return () => {
    interruptions++;
    started.wake();
  };
}

const again = (more: Partial<RepublishInput> = {}) =>
  republish({ service: log.service, url: log.url('relay'), publish, resources: [], ...more });

const subjects = (): string[] => [`practice.events.${log.service}.>`];

async function purge(): Promise<void> {
  const streams = await jetstreamManager(bus.nats, { checkAPI: false });
  await streams.streams.purge(STREAM, { filter: subjects()[0] as string });
}

/** The events that a new subscriber receives: practice → positions. */
async function told(count: number): Promise<Map<string, number[]>> {
  const heard = new Map<string, number[]>();
  let total = 0;
  const handler = ({ therapistId, position }: PublishedEvent): void => {
    heard.set(therapistId, [...(heard.get(therapistId) ?? []), position]);
    total++;
  };
  const name = `spec-${randomUUID()}`;
  const subscription = await subscribe({ connection: bus, name, subjects: subjects(), handler });
  closing.push(() => subscription.stop());
  await eventually(`${count} events arrived`, () => total >= count);
  const streams = await jetstreamManager(bus.nats, { checkAPI: false });
  const { num_pending: left } = await streams.consumers.info(STREAM, name);
  expect({ left, total }).toEqual({ left: 0, total: count });
  return heard;
}

describe('a log that is published again', () => {
  it('is in the stream again after the bus lost it, with every event once and in order within each practice', async () => {
    const practices = upTo(6).map(() => randomUUID());
    relay();
    for (const practice of practices) await append(practice, 20);
    await told(120);
    await purge();
    expect(await again()).toMatchObject({ practices: 6, events: 120 });
    const heard = await told(120);
    for (const practice of practices) expect(heard.get(practice)).toEqual(upTo(20));
  });

  it('does not change a stream that already has it', async () => {
    const practice = randomUUID();
    relay();
    await append(practice, 5);
    await told(5);
    await again();
    expect((await told(5)).get(practice)).toEqual(upTo(5));
  });

  it('is published before the events that wait in the outbox, and the relay continues after it', async () => {
    const practice = randomUUID();
    await append(practice, 5);
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const begun: number[] = [];
    relay();
    await told(5);
    await purge();
    const slowly: Publish = async (events) => {
      begun.push(events.length);
      if (begun.length === 1) await held;
      return publish(events);
    };
    const done = again({ publish: slowly });
    await eventually('republishing has begun', () => begun.length > 0);
    await append(practice, 3);
    release();
    await done;
    expect((await told(8)).get(practice)).toEqual(upTo(8));
  });

  it('can be published partly: one practice, from a position, or from a time', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await append(one, 4);
    await append(other, 3);
    expect(await again({ practice: one, from: { position: 3 } })).toMatchObject({ practices: 1, events: 2 });
    expect((await told(2)).get(one)).toEqual([3, 4]);
    await purge();
    expect(await again({ from: { time: '2026-05-01T02:30:00+00:00' } })).toMatchObject({
      practices: 2,
      events: 3,
    });
    expect(await told(3)).toEqual(
      new Map([
        [one, [3, 4]],
        [other, [3]],
      ]),
    );
  });

  it('is reported as failed if the bus does not accept it', async () => {
    await append(randomUUID(), 2);
    const refusing: Publish = (events) => Promise.resolve(events.map(() => null));
    await expect(again({ publish: refusing })).rejects.toThrow('does not accept');
  });
});

/** The sequences of the last `count` messages of the log. */
async function lastSequences(count: number): Promise<number[]> {
  const sequences: number[] = [];
  for await (const { sequence } of replay({ connection: bus, subjects: subjects() }))
    sequences.push(sequence);
  return sequences.slice(-count);
}

/** Deletes the last `count` messages of the log from the stream. */
async function loseLast(count: number): Promise<void> {
  const streams = await jetstreamManager(bus.nats, { checkAPI: false });
  for (const sequence of await lastSequences(count)) await streams.streams.deleteMessage(STREAM, sequence);
}

const asRelayRole = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(log.url('relay'), work);

const outboxIsEmpty = async (): Promise<boolean> => {
  const found = await asRelayRole((client) => client.query(`SELECT FROM ${log.service}.outbox LIMIT 1`));
  return found.rowCount === 0;
};

describe('a stream that has lost its end', () => {
  it('gets the lost events again from the relay, beginning at the last minute that it still has, before newer events', async () => {
    const practice = randomUUID();
    const compare = relay();
    await append(practice, 4);
    await told(4);
    await eventually('the first are noted', outboxIsEmpty);
    await asRelayRole((client) =>
      client.query(`UPDATE ${log.service}.published SET minute = minute - interval '5 minutes'`),
    );
    await append(practice, 3);
    await told(7);
    await eventually('the others are noted', outboxIsEmpty);
    await loseLast(2);
    compare();
    await eventually('the relay has published again', () => refilled.length > 0);
    await append(practice, 1);

    expect((await told(8)).get(practice)).toEqual(upTo(8));
    expect(refilled).toEqual(['2026-05-01T05:00:00+00:00']);
  });

  it('does not count as having lost messages that were deleted on purpose', async () => {
    const practice = randomUUID();
    const compare = relay();
    await append(practice, 3);
    await told(3);
    await eventually('they are noted', outboxIsEmpty);
    const [stream, sequences] = [await publisher.id(), await lastSequences(2)];
    await asRelayRole((client) => noteDeletions(client, log.service, { stream, sequences }));
    await loseLast(2);
    compare();
    // The relay compares before it publishes.
    await append(practice, 1);
    expect((await told(2)).get(practice)).toEqual([1, 4]);
    expect(refilled).toEqual([]);
  });

  it('gets the whole log if it has lost all noted messages, and afterwards no event twice', async () => {
    const practice = randomUUID();
    const compare = relay();
    await append(practice, 3);
    await told(3);
    await eventually('they are noted', outboxIsEmpty);
    await purge();
    compare();
    await eventually('the relay has published again', () => refilled.length > 0);
    expect((await told(3)).get(practice)).toEqual([1, 2, 3]);
    compare();
    await append(practice, 1);
    expect((await told(4)).get(practice)).toEqual([1, 2, 3, 4]);
    expect(refilled).toEqual([null]);
  });
});
