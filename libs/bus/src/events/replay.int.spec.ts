import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RecordedEvent } from '@practice/core';
import { connect, type Connection } from '../messaging/connection.js';
import { eventually, stack } from '@practice/testing';
import { progressOf } from './progress.js';
import { createPublisher } from './publisher.js';
import { replay, type Replayed } from './replay.js';
import { subscribe } from './subscribe.js';

let admin: Connection;
let reader: Connection;
let service: string;
let subjects: string[];

beforeEach(async () => {
  const logger = { info() {}, warn() {}, error() {} };
  admin = await connect({ url: stack().natsUrl('admin'), name: 'replay spec', logger });
  reader = await connect({ url: stack().natsUrl('admin'), name: 'replay spec', logger });
  service = `spec-${randomUUID()}`;
  subjects = [`practice.events.${service}.*.lamp.*`];
});

afterEach(async () => {
  await admin.close();
  await reader.close();
});

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function publish(positions: readonly number[], aggregate = 'lamp'): Promise<void> {
  const event = (position: number): RecordedEvent => ({
    type: 'LampLit',
    data: {},
    therapistId: 'practice',
    position,
    aggregate,
    streamId: randomUUID(),
    version: 1,
    schemaVersion: 1,
    metadata: {
      eventId: randomUUID(),
      actor: { kind: 'system' as const },
      requestId: 'r',
      correlationId: 'c',
    },
    recordedAt: '2026-05-01T08:00:00+00:00',
  });
  await createPublisher({ connection: admin, service }).publish(positions.map(event));
}

async function all(after = 0): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  for await (const one of replay({ connection: reader, subjects, after })) replayed.push(one);
  return replayed;
}

const positions = (replayed: readonly Replayed[]): number[] => replayed.map(({ event }) => event.position);

describe('a replay', () => {
  it('yields every event of its subjects in order, and ends', async () => {
    expect(await all()).toEqual([]);
    await publish(upTo(600));
    await publish([1], 'heater');
    await publish([601, 602]);
    const replayed = await all();
    expect(positions(replayed)).toEqual(upTo(602));
    const sequences = replayed.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
  });

  it('continues where another replay ended, and skips messages that are not events', async () => {
    await publish([1, 2]);
    const [, last] = await all();
    admin.nats.publish(`practice.events.${service}.${randomUUID()}.lamp.LampLit`, 'garbage');
    await admin.nats.flush();
    await publish([3]);
    const behind = await all(last?.sequence);
    expect(positions(behind)).toEqual([3]);
    expect(await all(behind.at(-1)?.sequence)).toEqual([]);
  });
});

describe('two replays at once with a consumer of the same name', () => {
  it('each yield every event of their own subjects, or fail', async () => {
    const results: (readonly number[] | 'failed')[] = [];
    await publish(upTo(20));
    await publish(upTo(20), 'heater');
    const names = ['lamp', 'heater'].map((aggregate) => `practice.events.${service}.*.${aggregate}.*`);
    const positionsIn = async (subject: string, delay: number): Promise<number[]> => {
      await pause(delay);
      const replayed: Replayed[] = [];
      const options = { connection: reader, subjects: [subject], consumer: service };
      for await (const one of replay(options)) replayed.push(one);
      return positions(replayed);
    };
    for (let round = 0; round < 10; round += 1)
      results.push(
        ...(await Promise.all(
          names.map((name, index) => positionsIn(name, index * round).catch((): 'failed' => 'failed')),
        )),
      );
    const replayed = results.filter((result) => result !== 'failed');
    expect(replayed.length).toBeGreaterThan(0);
    expect(replayed).toEqual(replayed.map(() => upTo(20)));
  });
});

describe('a reader that is slower than the server', () => {
  it('gets every event', async () => {
    await publish([1, 2, 3]);
    const replayed: Replayed[] = [];
    for await (const one of replay({ connection: reader, subjects })) {
      if (replayed.length === 0) await pause(3_000);
      replayed.push(one);
    }
    expect(positions(replayed)).toEqual([1, 2, 3]);
  });
});

describe('the progress of a subscription', () => {
  it('is the sequence up to which every event was handled', async () => {
    const name = `spec-${randomUUID()}`;
    expect(await progressOf(reader, name)).toMatchObject({ handled: 0, isServed: false });
    await publish([1, 2, 3]);
    const [, second, third] = await all();
    let isStuck = true;
    const handler = ({ position }: { position: number }): void => {
      if (isStuck && position === 3) throw new Error('not yet');
    };
    const retryAfter = (): number => 5;
    const subscription = await subscribe({ connection: reader, name, subjects, handler, retryAfter });
    // The stream also has events of other specs, between and after these events. The progress may already include them.
    const handled = async (): Promise<number> => (await progressOf(reader, name)).handled;
    const [from = 0, to = 0] = [second?.sequence, third?.sequence];
    await eventually('the second event is handled', async () => (await handled()) >= from);
    expect(await handled()).toBeLessThan(to);
    isStuck = false;
    await eventually('the third event is handled', async () => (await handled()) >= to);
    expect(await progressOf(reader, name)).toMatchObject({ isServed: true });
    await subscription.stop();
  });
});
