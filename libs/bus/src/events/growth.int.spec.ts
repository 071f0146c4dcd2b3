import { describe, expect, it } from '@jest/globals';
import { AckPolicy } from '@nats-io/jetstream';
import { STREAM } from './envelope.js';
import { describe as describeConsumer, findConsumers, removeSubscription } from './consumers.js';
import { eventSubjects } from './event-subjects.js';
import type { EventOf, SubscribeOptions } from './subscribe.js';
import { lamp, lamps, until, upTo, type Events } from './testing/lamps.js';

const { fresh, connected, publish, listen, streams } = lamps();

type Types = NonNullable<SubscribeOptions<Events>['events']>;

interface Recorder {
  /** `<practice> <position> <type>`, in the order of handling. */
  readonly seen: string[];
  readonly handler: (event: EventOf<Events>) => void;
}

function recorder(): Recorder {
  const seen: string[] = [];
  return {
    seen,
    handler: ({ therapistId, position, type }) => void seen.push(`${therapistId} ${position} ${type}`),
  };
}

/** Publishes `count` events per practice. Every third event puts the lamp out. */
async function publishMixed(practices: readonly string[], from: number, count: number): Promise<string[]> {
  const events = upTo(count).flatMap((index) =>
    practices.map((practice) => {
      const position = from + index - 1;
      return lamp(practice, position, position % 3 === 0 ? 'LampPutOut' : 'LampLit');
    }),
  );
  expect(await publish(events)).toEqual(events.map(() => true));
  return events.map(({ therapistId, position, type }) => `${therapistId} ${position} ${type}`);
}

const ofType = (type: string, lines: readonly string[]): string[] =>
  lines.filter((line) => line.endsWith(type));
const of = (practice: string, lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith(`${practice} `));

async function consumers(): Promise<string[]> {
  const found = await findConsumers(await streams(), fresh.name);
  return found.map(({ name }) => name);
}

const joined = (): Promise<void> => until(async () => (await consumers()).length === 1);

describe('a subscription to which event types are added', () => {
  const practices = ['one', 'two', 'three'];

  it('replays the added types from the beginning, repeats no event, and then has one order again', async () => {
    const before = recorder();
    const first = await listen(before.handler, { events: ['LampLit'] });
    const old = await publishMixed(practices, 1, 60);
    await until(() => before.seen.length === ofType('LampLit', old).length);
    await first.stop();
    const meanwhile = await publishMixed(practices, 61, 30);

    const after = recorder();
    await listen(after.handler, { events: ['LampLit', 'LampPutOut'] });
    const during = await publishMixed(practices, 91, 60);
    const expected = [...ofType('LampPutOut', old), ...meanwhile, ...during];
    await until(() => after.seen.length >= expected.length);
    await joined();
    expect([...after.seen].sort()).toEqual(expected.sort());
    for (const practice of practices)
      for (const type of ['LampLit', 'LampPutOut'])
        expect(ofType(type, of(practice, after.seen))).toEqual(
          ofType(type, of(practice, [...old, ...meanwhile, ...during])).filter((line) =>
            expected.includes(line),
          ),
        );

    const last = await publishMixed(practices, 151, 60);
    await until(() => after.seen.length >= expected.length + last.length);
    const afterwards = after.seen.slice(expected.length);
    for (const practice of practices) expect(of(practice, afterwards)).toEqual(of(practice, last));
  });

  it('goes on with the old types while one practice keeps failing, and joins both once it succeeds', async () => {
    const types: Types = ['LampLit'];
    await (await listen(() => {}, { events: types })).stop();
    let isBroken = true;
    const { seen, handler } = recorder();
    await publishMixed(['stuck', 'well'], 1, 9);
    await listen(
      (event) => {
        if (isBroken && event.therapistId === 'stuck' && event.type === 'LampLit') throw new Error('not yet');
        handler(event);
      },
      { events: ['LampLit', 'LampPutOut'], maxAttempts: Infinity, retryAfter: () => 50 },
    );
    await until(() => of('well', seen).length === 9);
    const later = await publishMixed(['well'], 10, 9);
    await until(() => of('well', seen).length === 18);
    expect(of('well', seen).slice(9).sort()).toEqual([...later].sort());
    expect(await consumers()).toEqual([fresh.name, `${fresh.name}~2`]);
    isBroken = false;
    // The next attempt to join the two consumers can take up to 12 s.
    await joined();
    await joined();
    expect(await consumers()).toEqual([`${fresh.name}~2`]);
    await until(() => of('stuck', seen).length === 9);
    expect(new Set(of('stuck', seen)).size).toBe(9);
  });

  it('grows a second time, shrinks without a replay, and starts the added types where `start` says', async () => {
    const run = async (events: Types, count: number, more: Partial<SubscribeOptions<Events>> = {}) => {
      const { seen, handler } = recorder();
      const subscription = await listen(handler, { events, ...more });
      await until(() => seen.length >= count);
      await joined();
      await subscription.stop();
      return seen;
    };
    await publish([lamp('a', 1), lamp('a', 2, 'LampPutOut'), lamp('a', 3, 'LampSold')]);
    expect(await run(['LampLit'], 1)).toEqual(['a 1 LampLit']);
    expect(await run(['LampLit', 'LampPutOut'], 1)).toEqual(['a 2 LampPutOut']);
    expect(await run(['LampLit', 'LampPutOut', 'LampSold'], 1)).toEqual(['a 3 LampSold']);
    expect(await consumers()).toEqual([fresh.name]);
    await publish([lamp('a', 4), lamp('a', 5, 'LampPutOut')]);
    expect(await run(['LampLit'], 1)).toEqual(['a 4 LampLit']);
    await publish([lamp('a', 6)]);
    expect(await run(['LampLit', 'LampSold'], 1, { start: 'new' })).toEqual(['a 6 LampLit']);
    await publish([lamp('a', 7, 'LampSold')]);
    expect(await run(['LampLit', 'LampSold'], 1)).toEqual(['a 7 LampSold']);
  });

  it('goes on replaying after a restart in between', async () => {
    await (await listen(() => {}, { events: ['LampLit'] })).stop();
    const all = await publishMixed(practices, 1, 300);
    const { seen, handler } = recorder();
    const events: Types = ['LampLit', 'LampPutOut'];
    const first = await listen(handler, { events });
    await until(() => seen.length > 20);
    await first.stop();
    await listen(handler, { events });
    await until(() => seen.length >= all.length);
    await joined();
    expect([...seen].sort()).toEqual(all.sort());
  });

  it('is served by an older process that does not know the added types, until that process stops', async () => {
    const [older, newer] = [recorder(), recorder()];
    const old = await listen(older.handler, { events: ['LampLit'] });
    const first = await publishMixed(practices, 1, 9);
    await listen(newer.handler, { events: ['LampLit', 'LampPutOut'] });
    await until(() => older.seen.length + newer.seen.length === first.length);
    expect([...older.seen].sort()).toEqual(ofType('LampLit', first).sort());
    expect([...newer.seen].sort()).toEqual(ofType('LampPutOut', first).sort());
    await old.stop();
    const second = await publishMixed(practices, 10, 9);
    await until(() => newer.seen.length === ofType('LampPutOut', first).length + second.length);
    await joined();
    expect([...newer.seen].sort()).toEqual([...ofType('LampPutOut', first), ...second].sort());
  });

  it('keeps no consumer if the other one cannot be served', async () => {
    await (await listen(() => {}, { events: ['LampLit'] })).stop();
    const events: Types = ['LampLit', 'LampPutOut'];
    const { consumers: all } = await streams();
    // A consumer from which a process fetches its messages: it cannot deliver them.
    await all.add(STREAM, {
      durable_name: `${fresh.name}~2`,
      description: describeConsumer(eventSubjects(fresh.subjects, events), fresh.name),
      filter_subject: fresh.subjects[0] as string,
      ack_policy: AckPolicy.Explicit,
    });
    await expect(listen(() => {}, { events })).rejects.toThrow('consumer');
    await until(async () => (await all.info(STREAM, fresh.name)).push_bound !== true);
    expect((await all.info(STREAM, fresh.name)).push_bound).not.toBe(true);
  });

  it('cannot list more than its consumer can store', async () => {
    const subjects = upTo(100).map(
      (number) => `practice.events.${fresh.service}.*.lamp.${'Lamp'.repeat(10)}${number}`,
    );
    await expect(listen(() => {}, { subjects })).rejects.toThrow('use wildcards');
  });
});

describe('removing a subscription', () => {
  it('deletes its consumer', async () => {
    await (await listen(() => {})).stop();
    await removeSubscription(await connected(), fresh.name);
    await removeSubscription(await connected(), fresh.name);
    await expect((await streams()).consumers.info(STREAM, fresh.name)).rejects.toThrow('not found');
  });
});
