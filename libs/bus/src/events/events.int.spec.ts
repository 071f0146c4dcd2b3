import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredMsg } from '@nats-io/jetstream';
import { removeSubscription, type Start } from './consumers.js';
import { STREAM } from './envelope.js';
import { createPublisher } from './publisher.js';
import { subscribe, type EventOf } from './subscribe.js';
import { lamp, lamps, positionsOf, until, upTo, type Events } from './testing/lamps.js';

const { fresh, connected, publish, listen, streams } = lamps();

describe('published events', () => {
  it('arrive as they are in the log', async () => {
    const event = lamp('practice', 1);
    expect(await publish([event])).toEqual([true]);
    const seen: EventOf<Events>[] = [];
    await listen((one) => void seen.push(one));
    await until(() => seen.length === 1);
    const { eventId, correlationId } = event.metadata;
    expect(seen).toEqual([{ ...event, service: fresh.service, metadata: { eventId, correlationId } }]);
  });

  it('are stored once when they are published twice, and are acknowledged each time', async () => {
    const [first, second] = [lamp('practice', 1), lamp('practice', 2)];
    expect(await publish([first])).toEqual([true]);
    expect(await publish([first, second])).toEqual([true, true]);
    const seen: EventOf<Events>[] = [];
    await listen((one) => void seen.push(one));
    await until(() => seen.length >= 2);
    expect(positionsOf('practice', seen)).toEqual([1, 2]);
  });

  it('are not acknowledged when no stream takes them, and neither are later events of the practice', async () => {
    const connection = await connected();
    const astray = createPublisher({ connection, service: 'no known.service' });
    expect(await astray.publish([lamp('practice', 1), lamp('practice', 2)])).toEqual([null, null]);
  });
});

describe('a subscription', () => {
  it('delivers all events of each practice in order, even when the handler fails', async () => {
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

  it('goes on with other practices while one keeps failing', async () => {
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

  it('continues after a restart where it stopped, with the events published in between', async () => {
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

  it('repeats unfinished events after the process crashed, in order and before new events', async () => {
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

  it('serves one of several processes, and another process when the first one stops', async () => {
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

  it('resumes in order after the connection was lost', async () => {
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

  it('lets the running handler finish when it is stopped', async () => {
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

  it('delivers only the listed types, typed, and skips messages that are not events', async () => {
    const { nats } = await connected();
    await publish([lamp('practice', 1), lamp('practice', 2, 'LampPutOut')]);
    nats.publish(`practice.events.${fresh.service}.${randomUUID()}.lamp.LampPutOut`, 'garbage');
    await nats.flush();
    await publish([lamp('practice', 3), lamp('practice', 4, 'LampPutOut')]);
    const reasons: string[] = [];
    const subscription = await subscribe<Events, 'LampPutOut'>({
      connection: await connected(),
      name: fresh.name,
      subjects: fresh.subjects,
      events: ['LampPutOut'],
      handler: ({ data, position }) => void reasons.push(`${position} ${data.reason}`),
    });
    await until(() => reasons.length >= 2);
    expect(reasons).toEqual(['2 bedtime', '4 bedtime']);
    await subscription.stop();
  });

  it('begins where `start` says: with new events, at a sequence of the stream, or at a time', async () => {
    await publish([lamp('practice', 1)]);
    const manager = await streams();
    const { state } = await manager.streams.info(STREAM);
    const { time } = (await manager.streams.getMessage(STREAM, { seq: state.last_seq })) as StoredMsg;
    await publish([lamp('practice', 2)]);
    const seen: EventOf<Events>[][] = [[], [], []];
    const starts: Start[] = ['new', { sequence: state.last_seq + 1 }, { time: new Date(time.getTime() + 1) }];
    const names = starts.map(() => `spec-${randomUUID()}`);
    for (const [index, start] of starts.entries())
      await listen((event) => void seen[index]?.push(event), { start, name: names[index] as string });
    await publish([lamp('practice', 3)]);
    await until(() => seen.every((events) => events.at(-1)?.position === 3));
    expect(seen.map((events) => positionsOf('practice', events))).toEqual([[3], [2, 3], [2, 3]]);
    for (const name of names) await removeSubscription(await connected(), name);
  });

  it('refuses a name or a subject that is invalid', async () => {
    await expect(listen(() => {}, { name: 'a.b' })).rejects.toThrow('cannot name a subscription');
    const subjects = ['practice.events.scheduling.appointment.*'];
    await expect(listen(() => {}, { subjects })).rejects.toThrow('is not a subject of events');
  });
});
