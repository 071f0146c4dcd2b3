import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { allSteps, type RecordedEvent } from '@practice/core';
import { eventually, scratchService, systemMetadata, type ScratchService } from '@practice/testing';
import type pg from 'pg';
import { actToWrite, asSystem } from './acting.js';
import { lockKeys } from './advisory-lock.js';
import { appendAll, lockPractices, openPractice } from './append.js';
import type { Publish } from './bus.js';
import { waitForLeaderLock } from './leader-lock.js';
import { sharedTables } from './migrations.js';
import { startRelay, type Relay, type RelayOptions, type RelayState } from './relay.js';
import type { Statement } from './statement.js';

let log: ScratchService;
let admin: pg.Client;
let relays: Relay[] = [];
let errors: unknown[] = [];

beforeEach(async () => {
  log = await scratchService(sharedTables);
  admin = await log.connect();
});

afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await log.drop();
  [relays, errors] = [[], []];
});

const connected = (url = log.url()): Promise<pg.Client> => log.connect(url);

const ask = (client: pg.Client, { text, values }: Statement) => client.query(text, values as unknown[]);

/** Appends events, each size in one transaction. */
async function append(client: pg.Client, therapistId: string, sizes: readonly number[]): Promise<void> {
  const { service } = log;
  for (const size of sizes) {
    await client.query('BEGIN');
    await ask(client, actToWrite([asSystem(therapistId)]));
    await ask(client, openPractice(service, therapistId));
    const { rows } = await ask(client, lockPractices(service, [therapistId], 'wait'));
    const position = Number((rows as { position: string }[])[0]?.position);
    const events = upTo(size).map(() => ({
      type: 'LampLit',
      data: {},
      aggregate: 'lamp',
      streamId: randomUUID(),
      version: 1,
      schemaVersion: 1,
      lifecycle: { created: ['LampLit'], deleted: [] },
      metadata: systemMetadata(),
      recordedAt: '2026-05-01T08:00:00+00:00',
    }));
    await ask(client, allSteps(appendAll(service, [{ therapistId, position, events }])));
    await client.query('COMMIT');
  }
}

/** A stream that loses nothing. */
const whole = {
  prepare: () => Promise.resolve(),
  holds: () => Promise.resolve(true),
  interruptions: () => 0,
};

const nothingLost: RelayOptions['refill'] = {
  begin: () => {
    throw new Error('nothing was lost');
  },
  eventsOf: ({ events }) => events,
  done: () => undefined,
};

function relay(publish: Publish, differently: Partial<RelayOptions> = {}): Relay {
  const started = startRelay({
    service: log.service,
    databaseUrl: log.url('relay'),
    bus: { ...whole, publish },
    refill: nothingLost,
    onError: (error) => errors.push(error),
    ...differently,
  });
  relays.push(started);
  return started;
}

/** A bus that accepts everything except the events that `refuses` names and, in the same batch, later events of that practice. */
function bus(refuses: (event: RecordedEvent) => boolean = () => false): {
  taken: RecordedEvent[];
  publish: Publish;
} {
  const taken: RecordedEvent[] = [];
  return {
    taken,
    publish: (events) => {
      const stuck = new Set<string>();
      const acks = events.map((event) => {
        if (stuck.has(event.therapistId) || refuses(event)) {
          stuck.add(event.therapistId);
          return null;
        }
        taken.push(event);
        return { stream: 's', sequence: taken.length, eventId: event.metadata.eventId };
      });
      return Promise.resolve(acks);
    },
  };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const positionsOf = (practice: string, events: readonly RecordedEvent[]): number[] =>
  events.filter(({ therapistId }) => therapistId === practice).map(({ position }) => position);

async function outboxIsEmpty(): Promise<boolean> {
  const { rows } = await admin.query<{ empty: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM ${log.service}.outbox) AS empty`,
  );
  return rows[0]?.empty === true;
}

describe('the relay', () => {
  it('publishes everything in order per practice while many commit at once, and empties the outbox', async () => {
    const { taken, publish } = bus();
    const woken = relay(publish);
    const practices = upTo(4).map(() => randomUUID());
    await Promise.all(
      [...practices, ...practices].map(async (practice) => {
        await append(
          await connected(),
          practice,
          upTo(25).map((round) => 1 + (round % 3)),
        );
        woken.wake();
      }),
    );
    const each = 2 * upTo(25).reduce((sum, round) => sum + 1 + (round % 3), 0);
    await eventually('everything is published', () => taken.length >= 4 * each);
    await eventually('the outbox is empty', outboxIsEmpty);
    for (const practice of practices) expect(positionsOf(practice, taken)).toEqual(upTo(each));
    expect(errors).toEqual([]);
  });

  it('compares the stream first if the connection to it was lost while the outbox was read', async () => {
    const practice = randomUUID();
    let interruptions = 0;
    const steps: string[] = [];
    const { taken, publish } = bus();
    await append(await connected(), practice, [1]);
    await admin.query(`BEGIN; LOCK TABLE ${log.service}.outbox IN ACCESS EXCLUSIVE MODE`);
    relay(publish, {
      bus: {
        ...whole,
        interruptions: () => interruptions,
        prepare: () => Promise.resolve(void steps.push('compared')),
        publish: (events) => {
          steps.push('published');
          return publish(events);
        },
      },
    });
    const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = '${log.service}.outbox'::regclass`;
    await eventually('the relay reads', async () => (await admin.query(waits)).rowCount === 1);
    interruptions += 1;
    await admin.query('COMMIT');
    await eventually('the event is published', () => taken.length === 1);
    expect(steps).toEqual(['compared', 'compared', 'published']);
    expect(errors).toEqual([]);
  });

  it('publishes an event that was not acknowledged again, before later events of that practice', async () => {
    const [stuck, well] = [randomUUID(), randomUUID()];
    let refusals = 0;
    const { taken, publish } = bus(({ therapistId, position }) => {
      const refused = therapistId === stuck && position === 3 && refusals < 2;
      refusals += refused ? 1 : 0;
      return refused;
    });
    const writer = await connected();
    await append(writer, stuck, [5]);
    await append(writer, well, [5]);
    relay(publish);
    await eventually('one was refused', () => refusals > 0);
    await append(writer, stuck, [2]);
    await eventually('everything is published', () => taken.length === 12);
    await eventually('the outbox is empty', outboxIsEmpty);
    expect(positionsOf(stuck, taken)).toEqual(upTo(7));
    expect(positionsOf(well, taken)).toEqual(upTo(5));
    expect(refusals).toBe(2);
    expect(errors.map(String)).toEqual(Array(2).fill(expect.stringContaining('not acknowledged')));
  });

  it('keeps events that the bus never accepted: a relay that starts later publishes them', async () => {
    const practice = randomUUID();
    await append(await connected(), practice, [3]);
    const first = relay(() => Promise.reject(new Error('the bus is away')));
    await eventually('it has tried', () => errors.length > 0);
    await first.stop();
    const { taken, publish } = bus();
    relay(publish);
    await eventually('everything is published', () => taken.length >= 3);
    expect(positionsOf(practice, taken)).toEqual([1, 2, 3]);
  });
});

describe('of two relays', () => {
  it('one is the leader, and the other takes over when it stops', async () => {
    const writer = await connected();
    const practice = randomUUID();
    const [one, other] = [bus(), bus()];
    const both = [
      { relay: relay(one.publish), bus: one },
      { relay: relay(other.publish), bus: other },
    ];
    await append(
      writer,
      practice,
      upTo(10).map(() => 2),
    );
    await eventually('all is published', () => one.taken.length + other.taken.length >= 20);
    const [leader, ...followers] = both.sort((left, right) => right.bus.taken.length - left.bus.taken.length);
    expect([leader?.bus.taken.length, followers[0]?.bus.taken.length]).toEqual([20, 0]);
    await leader?.relay.stop();
    await append(writer, practice, [2]);
    await eventually('the other publishes', () => followers[0]?.bus.taken.length === 2);
    expect(positionsOf(practice, followers[0]?.bus.taken ?? [])).toEqual([21, 22]);
  });

  it('the other notifies the leader of events that its own process has committed', async () => {
    const listener = await connected();
    const { taken, publish } = bus();
    const relays = [relay(publish), relay(publish)];
    await append(listener, randomUUID(), [1]);
    await eventually('one of them is the leader', () => taken.length === 1);
    await listener.query(`LISTEN "relay ${log.service}"`);
    const heard: string[] = [];
    listener.on('notification', ({ channel }) => heard.push(channel));
    relays.forEach((one) => one.wake());
    await eventually('the leader is notified', () => heard.length > 0);
    expect(heard).toEqual([`relay ${log.service}`]);
  });

  /** Runs `act` while a leader rests, until `isDone` or until just before the leader's next poll. */
  async function whileResting(
    act: (other: pg.Client) => Promise<unknown>,
    isDone: (published: number) => boolean,
  ): Promise<void> {
    const other = await connected();
    const { taken, publish } = bus();
    relay(publish);
    await append(other, randomUUID(), [1]);
    await eventually('it is the leader', () => taken.length === 1);
    /** Lets real time pass, for Postgres and for the relay. */
    const pass = () => other.query('SELECT pg_sleep(0.02)');
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date', 'performance'] });
    try {
      while (jest.getTimerCount() === 0) await pass();
      await act(other);
      // Enough for a woken relay to gather commits, and less than the second until the next poll.
      for (let passed = 0; !isDone(taken.length) && passed < 900; passed += 20) {
        await pass();
        jest.advanceTimersByTime(20);
      }
      expect(isDone(taken.length)).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  }

  it('the leader publishes at a notification, before its next poll', async () => {
    const act = async (other: pg.Client): Promise<void> => {
      await append(other, randomUUID(), [1]);
      await other.query(`NOTIFY "relay ${log.service}"`);
    };
    await whileResting(act, (published) => published === 2);
  });

  it('the leader releases the lock before its next poll when another connection waits for it', async () => {
    const successor = await connected();
    let isReleased = false;
    const act = async (other: pg.Client): Promise<void> => {
      void waitForLeaderLock(successor, log.service).then(() => (isReleased = true));
      // Until then the leader gathers commits, as time does not pass.
      while ((await other.query(lockKeys('wanted'))).rowCount === 0);
    };
    await whileResting(act, () => isReleased);
  });

  it('the former leader does not react to notifications', async () => {
    const [listener, successor] = await Promise.all([connected(), connected()]);
    const { taken, publish } = bus();
    const rounds: RelayState[] = [];
    relay(publish, { onState: (state) => rounds.push(state) });
    await append(listener, randomUUID(), [1]);
    await eventually('it is the leader', () => taken.length === 1);
    await waitForLeaderLock(successor, log.service);
    // In its first round it may pass on a notification that reached it as the leader.
    const standingBy = () => rounds.filter((state) => state === 'standing by').length;
    await eventually('it has stood by for a round', () => standingBy() > 1);
    const heard: string[] = [];
    listener.on('notification', ({ channel }) => heard.push(channel));
    await listener.query(`LISTEN "relay ${log.service}"`);
    await listener.query(`NOTIFY "relay ${log.service}"`);
    await listener.query('SELECT pg_sleep(0.3)');
    expect(heard).toHaveLength(1);
  });

  it('the other takes over when the leader dies within a batch: no event is skipped or lost', async () => {
    const writer = await connected();
    const practice = randomUUID();
    const published: RecordedEvent[] = [];
    let release: () => void = () => undefined;
    let begun = false;
    const held = new Promise<void>((resolve) => (release = resolve));
    /** The first batch is delayed until its relay is dead, and arrives anyway. */
    const publish: Publish = async (events) => {
      if (!begun) {
        begun = true;
        await held;
      }
      published.push(...events);
      return events.map(({ metadata }, at) => ({ stream: 's', sequence: at + 1, eventId: metadata.eventId }));
    };
    relay(publish);
    relay(publish);
    await append(writer, practice, [3]);
    await eventually('the leader publishes', () => begun);
    await append(writer, practice, [4]);
    await admin.query(
      `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND d.datname = current_database()`,
    );
    await eventually('the other has taken over', () => published.length >= 7);
    expect(positionsOf(practice, published)).toEqual(upTo(7));
    release();
    await eventually('the dead one has noticed', () => errors.length > 0);
    await append(writer, practice, [1]);
    await eventually('the last is published', () => published.some(({ position }) => position === 8));
    await eventually('the outbox is empty', outboxIsEmpty);
    // The events of the dead relay arrived twice: at least once, and in order at their first arrival.
    expect([...new Set(positionsOf(practice, published))]).toEqual(upTo(8));
  });
});
