import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '@practice/core';
import { connect } from '@practice/messaging';
import type { Connection } from '@practice/messaging';
import { stack } from '@practice/testing';
import { createPublisher } from './publisher.js';
import { subscribe } from './subscribe.js';
import type { EventOf, SubscribeOptions, Subscription } from './subscribe.js';

interface Events {
  readonly LampLit: { readonly brightness: number };
  readonly LampPutOut: { readonly reason: string };
}

const open: (() => Promise<unknown>)[] = [];
/** Publishes as a service of its own, so that nothing of other tests is seen. */
let service: string;
let subjects: string[];
let name: string;

/** As a service, which may listen to any events; as admin, to publish some of a service that does not exist. */
async function connected(user: 'scheduling' | 'admin' = 'scheduling'): Promise<Connection> {
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const connection = await connect({ url: stack().natsUrl(user), name: 'events spec', logger: quiet });
  open.push(() => connection.close());
  return connection;
}

function lamp(practice: string, position: number, type: keyof Events & string = 'LampLit'): RecordedEvent {
  return {
    type,
    data: type === 'LampLit' ? { brightness: position } : { reason: 'bedtime' },
    therapistId: practice,
    position,
    aggregate: 'lamp',
    streamId: randomUUID(),
    version: 1,
    schemaVersion: 1,
    metadata: { eventId: randomUUID(), actor: 'spec', requestId: 'r', correlationId: 'c' },
    recordedAt: new Date().toISOString(),
  };
}

async function publish(events: readonly RecordedEvent[]): Promise<readonly boolean[]> {
  return createPublisher({ connection: await connected('admin'), service }).publish(events);
}

type Handler = (event: EventOf<Events>) => Promise<void> | void;

async function listen(handler: Handler, more: Partial<SubscribeOptions<Events>> = {}): Promise<Subscription> {
  const connection = more.connection ?? (await connected());
  const subscription = await subscribe<Events>({
    name,
    subjects,
    retryAfter: () => 5,
    handler,
    ...more,
    connection,
  });
  open.push(() => subscription.stop());
  return subscription;
}

/** Polls until `holds`, or gives up after some seconds and lets the expectation that follows speak. */
async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 15_000; !holds() && Date.now() < deadline;) await pause(5);
}

function positionsOf(practice: string, events: readonly EventOf<Events>[]): number[] {
  return events.filter(({ therapistId }) => therapistId === practice).map(({ position }) => position);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function freshNames(): void {
  service = `spec-${randomUUID()}`;
  subjects = [`practice.events.${service}.>`];
  name = `spec-${randomUUID()}`;
}

describe('published events', () => {
  it('arrive as they are in the log', async () => {
    freshNames();
    const event = lamp('practice', 1);
    expect(await publish([event])).toEqual([true]);
    const seen: EventOf<Events>[] = [];
    await listen((one) => void seen.push(one));
    await until(() => seen.length === 1);
    const { eventId, correlationId } = event.metadata;
    expect(seen).toEqual([{ ...event, service, metadata: { eventId, correlationId } }]);
  });

  it('are in the stream once, however often they are published, and count as acknowledged each time', async () => {
    freshNames();
    const [first, second] = [lamp('practice', 1), lamp('practice', 2)];
    expect(await publish([first])).toEqual([true]);
    expect(await publish([first, second])).toEqual([true, true]);
    const seen: EventOf<Events>[] = [];
    await listen((one) => void seen.push(one));
    await until(() => seen.length >= 2);
    expect(positionsOf('practice', seen)).toEqual([1, 2]);
  });

  it('are not acknowledged where no stream takes them, nor are those behind them', async () => {
    freshNames();
    const connection = await connected('admin');
    const astray = createPublisher({ connection, service: 'no such.service' });
    expect(await astray.publish([lamp('practice', 1), lamp('practice', 2)])).toEqual([false, false]);
  });
});

describe('a subscription', () => {
  it('brings each practice its events in order, through failures of the handler, and all of them', async () => {
    freshNames();
    const practices = upTo(10).map((number) => `practice-${number}`);
    await publish(practices.flatMap((practice) => upTo(30).map((position) => lamp(practice, position))));
    const done: EventOf<Events>[] = [];
    const attempts = new Map<string, number>();
    await listen(async (event) => {
      const key = `${event.therapistId} ${event.position}`;
      attempts.set(key, (attempts.get(key) ?? 0) + 1);
      await pause(event.position % 3);
      if (event.position % 7 === 0 && attempts.get(key) === 1) throw new Error('not this time');
      done.push(event);
    });
    await until(() => done.length >= 300);
    for (const practice of practices) expect(positionsOf(practice, done)).toEqual(upTo(30));
    expect(attempts.get('practice-1 7')).toBe(2);
  });

  it('lets other practices go on while one keeps failing', async () => {
    freshNames();
    await publish([
      lamp('stuck', 1),
      ...upTo(20).map((position) => lamp('well', position)),
      lamp('stuck', 2),
    ]);
    const done: EventOf<Events>[] = [];
    await listen((event) => {
      if (event.therapistId === 'stuck') throw new Error('never');
      done.push(event);
    });
    await until(() => done.length >= 20);
    expect(positionsOf('well', done)).toEqual(upTo(20));
    expect(positionsOf('stuck', done)).toEqual([]);
  });

  it('goes on after a restart where it stopped, with what came in between', async () => {
    freshNames();
    await publish(upTo(5).map((position) => lamp('practice', position)));
    const before: EventOf<Events>[] = [];
    const first = await listen((event) => void before.push(event));
    await until(() => before.length === 5);
    await first.stop();
    await publish([6, 7].map((position) => lamp('practice', position)));
    const after: EventOf<Events>[] = [];
    await listen((event) => void after.push(event));
    await until(() => after.length >= 2);
    expect(positionsOf('practice', after)).toEqual([6, 7]);
  });

  it('repeats what was not finished when the process died, in order and before anything new', async () => {
    freshNames();
    await publish(upTo(20).map((position) => lamp('practice', position)));
    const dying = await connected();
    let begun = 0;
    const dead = await listen(
      async ({ position }) => {
        begun++;
        if (position === 4) await dying.nats.close();
      },
      { connection: dying },
    );
    await until(() => begun >= 4);
    await publish(upTo(5).map((position) => lamp('practice', 20 + position)));
    await dead.stop();
    const seen: EventOf<Events>[] = [];
    await listen((event) => void seen.push(event));
    await until(() => positionsOf('practice', seen).at(-1) === 25);
    const positions = positionsOf('practice', seen);
    expect(positions).toEqual(upTo(25).slice(25 - positions.length));
    expect(positions[0]).toBeLessThanOrEqual(4);
  });

  it('serves one of several processes, and another when that one goes', async () => {
    freshNames();
    const [one, other]: EventOf<Events>[][] = [[], []];
    const first = await listen((event) => void one?.push(event));
    await listen((event) => void other?.push(event));
    await publish(upTo(50).map((position) => lamp('practice', position)));
    await until(() => one?.length === 50);
    await first.stop();
    await publish([51, 52].map((position) => lamp('practice', position)));
    await until(() => other?.length === 2);
    expect(positionsOf('practice', one ?? [])).toEqual(upTo(50));
    expect(positionsOf('practice', other ?? [])).toEqual([51, 52]);
  });

  it('comes back by itself when the connection was lost, in order', async () => {
    freshNames();
    const connection = await connected();
    const seen: EventOf<Events>[] = [];
    await listen(
      async (event) => {
        await pause(1);
        seen.push(event);
      },
      { connection },
    );
    await publish(upTo(50).map((position) => lamp('practice', position)));
    await until(() => seen.length >= 10);
    await connection.nats.reconnect();
    await publish(upTo(10).map((position) => lamp('practice', 50 + position)));
    await until(() => seen.at(-1)?.position === 60);
    const firsts = [...new Set(positionsOf('practice', seen))];
    expect(firsts).toEqual(upTo(60));
  });

  it('finishes what the handler works on when it is stopped', async () => {
    freshNames();
    await publish([lamp('practice', 1), lamp('practice', 2)]);
    let begun = false;
    let finish: () => void = () => {};
    const done: number[] = [];
    const subscription = await listen(async ({ position }) => {
      begun = true;
      await new Promise<void>((resolve) => (finish = resolve));
      done.push(position);
    });
    await until(() => begun);
    const stopping = subscription.stop();
    finish();
    await stopping;
    expect(done).toEqual([1]);
    const after: EventOf<Events>[] = [];
    await listen((event) => void after.push(event));
    await until(() => after.length >= 1);
    expect(positionsOf('practice', after)).toEqual([2]);
  });

  it('brings only the types it names, typed, and passes over messages that are no events', async () => {
    freshNames();
    const { nats } = await connected('admin');
    await publish([lamp('practice', 1), lamp('practice', 2, 'LampPutOut')]);
    nats.publish(`practice.events.${service}.${randomUUID()}.lamp.LampPutOut`, 'garbage');
    await nats.flush();
    await publish([lamp('practice', 3), lamp('practice', 4, 'LampPutOut')]);
    const reasons: string[] = [];
    const subscription = await subscribe<Events, 'LampPutOut'>({
      connection: await connected(),
      name,
      subjects,
      events: ['LampPutOut'],
      handler: ({ data, position }) => void reasons.push(`${position} ${data.reason}`),
    });
    await until(() => reasons.length >= 2);
    expect(reasons).toEqual(['2 bedtime', '4 bedtime']);
    await subscription.stop();
  });

  it('takes events from now on, where asked to', async () => {
    freshNames();
    await publish([lamp('practice', 1)]);
    const seen: EventOf<Events>[] = [];
    await listen((event) => void seen.push(event), { start: 'new' });
    await publish([lamp('practice', 2)]);
    await until(() => seen.length >= 1);
    expect(positionsOf('practice', seen)).toEqual([2]);
  });

  it('does not silently start to take other subjects under an old name', async () => {
    freshNames();
    const first = await listen(() => {});
    await first.stop();
    await expect(listen(() => {}, { subjects: ['practice.events.clients.>'] })).rejects.toThrow('new name');
  });
});
