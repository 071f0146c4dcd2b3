import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readLog } from '@practice/log';
import type { PublishedEvent } from '@practice/bus';
import { eventually, scratchSchema, type ScratchSchema } from '@practice/testing';
import fc from 'fast-check';
import type { Client } from 'pg';
import { rebuild } from '@practice/recovery';
import type { TenantDatabase } from '@practice/storage';
import {
  batchHandlerOf,
  countChanges,
  lifeAt,
  openTables,
  practiceIn,
  published,
  resources,
  service,
} from '../testing/projection-fixture.js';
import type { Place, Tables } from '../testing/projection-fixture.js';
import type { BatchHandler } from './batch-handler.js';
import type { AnyPolicy } from '../folding/projection-parts.js';

let scratch: ScratchSchema;
let admin: Client;
let tables: Tables;
let database: TenantDatabase;
let handler: BatchHandler;

beforeAll(async () => {
  scratch = await scratchSchema('clients');
  admin = await scratch.connect();
  tables = await openTables(scratch.url);
  database = tables.database;
  handler = batchHandlerOf(tables);
});

afterAll(async () => {
  await tables.close();
  await scratch.drop();
});

interface MirrorLine {
  readonly id: string;
  readonly version: number;
  readonly data: object | null;
}

async function mirrorOf(therapistId: string): Promise<MirrorLine[]> {
  const text = `select id, version, data from clients.mirror where therapist_id = $1 order by id`;
  return (await admin.query<MirrorLine>(text, [therapistId])).rows;
}

/** The types of the practice's own events after the first. Fails if there is a gap between the events. */
async function effectsIn(therapistId: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { position, type } of readLog(admin, { service, therapistId, after: 0 })) {
    types.push(type);
    expect(position).toBe(types.length);
  }
  return types.slice(1);
}

/** Delivers events until all are applied. A refused event is delivered again behind the others, as the bus does. */
async function deliver(events: readonly PublishedEvent[], to: readonly BatchHandler[]): Promise<void> {
  for (let waiting = [...events]; waiting.length > 0;) {
    const again: PublishedEvent[] = [];
    for (const [index, event] of waiting.entries()) {
      await to[index % to.length]?.apply(event).catch(() => again.push(event));
    }
    waiting = again;
  }
}

/** The mirror's row once all events of an appointment have arrived. */
function lineOf(events: readonly PublishedEvent[]): MirrorLine {
  const { streamId: id, version, type, data } = events.at(-1) as PublishedEvent;
  const { client_id: client } = events[0]?.data as { client_id: string };
  const { status } = data as { status: string };
  return { id, version, data: type === 'AppointmentDeleted' ? null : { id, client_id: client, status } };
}

describe('events', () => {
  it('have their effect once each when they are delivered twice, in any order, to any process', async () => {
    const lives = fc.array(fc.record({ changes: fc.nat(4), ends: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    });
    const ranks = fc.infiniteStream(fc.nat(2 ** 30));
    const property = fc.asyncProperty(lives, ranks, async (given, rank) => {
      const place = await practiceIn(database);
      const streams = given.map((life) => lifeAt(place, life));
      const shuffled = streams
        .flatMap((events) => [...events, ...events])
        .map((event) => ({ event, rank: Number(rank.next().value) }))
        .sort((one, other) => one.rank - other.rank);
      await deliver(
        shuffled.map(({ event }) => event),
        [handler, batchHandlerOf(tables)],
      );
      const lines = streams.map(lineOf).sort((one, other) => (one.id < other.id ? -1 : 1));
      expect(await mirrorOf(place.therapistId)).toEqual(lines);
      const effects = await effectsIn(place.therapistId);
      expect(effects.length).toBe(streams.flat().length);
      const ends = effects.filter((type) => type === 'ClientVisitUncounted');
      expect(ends.length).toBe(given.filter((life) => life.ends).length);
    });
    await fc.assert(property, { numRuns: 40, seed: 7 });
    const report = await rebuild({ service, url: scratch.url('clients_owner'), resources, check: true });
    expect(report.differences).toEqual([]);
  });

  it('have their effect once when several processes apply them at the same time', async () => {
    const place = await practiceIn(database);
    const events = lifeAt(place, { changes: 3, ends: true });
    const processes = [handler, batchHandlerOf(tables), batchHandlerOf(tables)];
    for (const event of events) await Promise.all(processes.map((one) => one.apply(event)));
    expect((await effectsIn(place.therapistId)).length).toBe(events.length);
  });

  it('have no effect when the process dies before the commit, and take effect when they are delivered again', async () => {
    const place = await practiceIn(database);
    const [event] = lifeAt(place, { changes: 0, ends: false }) as [PublishedEvent];
    // Another connection holds the practice's lock, so the handler waits there when its connection dies.
    const holder = await scratch.connect();
    await holder.query('begin');
    await holder.query(`select 1 from clients.practice_head where therapist_id = $1 for update`, [
      place.therapistId,
    ]);
    const fate = handler.apply(event).then(
      () => 'taken',
      () => 'dead',
    );
    const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually('it waits', async () => (await admin.query(`select 1 ${waiting}`)).rows.length === 1);
    await admin.query(`select pg_terminate_backend(pid) ${waiting}`);
    expect(await fate).toBe('dead');
    await holder.end();
    expect([await mirrorOf(place.therapistId), await effectsIn(place.therapistId)]).toEqual([[], []]);
    await handler.apply(event);
    await handler.apply(event);
    expect(await effectsIn(place.therapistId)).toEqual(['ClientVisitCounted']);
  });

  it('that arrive before their predecessor are refused, and applied when they are delivered again', async () => {
    const place = await practiceIn(database);
    const [first, second] = lifeAt(place, { changes: 1, ends: false }) as [PublishedEvent, PublishedEvent];
    await expect(handler.apply(second)).rejects.toThrow('came before 1');
    expect([await mirrorOf(place.therapistId), await effectsIn(place.therapistId)]).toEqual([[], []]);
    await handler.apply(first);
    await handler.apply(second);
    expect(await mirrorOf(place.therapistId)).toEqual([lineOf([first, second])]);
  });

  it('of other records are ignored, and events of an unknown type are refused, not lost', async () => {
    const { therapistId, clientId: streamId } = await practiceIn(database);
    const stream = { therapistId, streamId, version: 1 };
    await handler.apply(published({ ...stream, type: 'LampLit', service: 'lamps', aggregate: 'lamp' }));
    await handler.apply(published({ ...stream, type: 'ServiceAdded', aggregate: 'service' }));
    expect(await mirrorOf(therapistId)).toEqual([]);
    await expect(handler.apply(published({ ...stream, type: 'AppointmentDreamt' }))).rejects.toThrow();
    expect(await mirrorOf(therapistId)).toEqual([]);
  });
});

describe('a batch of events', () => {
  const idle = (place: Place): Place => ({ ...place, clientId: null as unknown as string });

  it('is applied for many practices, except for an event that a policy reacts to and the events behind it', async () => {
    const [quiet, other, concerned] = [
      await practiceIn(database),
      await practiceIn(database),
      await practiceIn(database),
    ];
    const streams = [
      lifeAt(idle(quiet), { changes: 2, ends: true }),
      lifeAt(idle(other), { changes: 1, ends: false }),
    ];
    const touching = lifeAt(concerned, { changes: 1, ends: false });
    const behind = lifeAt(idle(concerned), { changes: 0, ends: false });
    const events = [...streams.flat(), ...touching, ...behind];
    expect(await handler.applyBatch(events)).toEqual([
      ...streams.flat().map(() => true),
      ...touching.map(() => false),
      ...behind.map(() => false),
    ]);
    expect(await mirrorOf(quiet.therapistId)).toEqual([lineOf(streams[0] ?? [])]);
    expect(await mirrorOf(other.therapistId)).toEqual([lineOf(streams[1] ?? [])]);
    expect(await mirrorOf(concerned.therapistId)).toEqual([]);
  });

  it('skips events that are old, and leaves events that have no predecessor or no known type', async () => {
    const place = idle(await practiceIn(database));
    const events = lifeAt(place, { changes: 3, ends: false }) as [PublishedEvent, ...PublishedEvent[]];
    const [first, second, third] = events as [PublishedEvent, PublishedEvent, PublishedEvent];
    expect(await handler.applyBatch([first, third])).toEqual([true, false]);
    expect(await handler.applyBatch([first, second, first])).toEqual([true, true, true]);
    const dreamt = { ...third, type: 'AppointmentDreamt' };
    const lamp = published({ ...third, type: 'LampLit', service: 'lamps', aggregate: 'lamp' });
    expect(await handler.applyBatch([lamp, dreamt, third])).toEqual([true, false, false]);
    expect(await mirrorOf(place.therapistId)).toEqual([lineOf([first, second])]);
  });

  it('is applied once by several processes at the same time, and a later delivery is reported as done', async () => {
    const place = idle(await practiceIn(database));
    const events = lifeAt(place, { changes: 4, ends: false });
    const processes = [handler, batchHandlerOf(tables), batchHandlerOf(tables)];
    await Promise.all(processes.map((one) => one.applyBatch(events)));
    expect(await handler.applyBatch(events)).toEqual(events.map(() => true));
    expect(await mirrorOf(place.therapistId)).toEqual([lineOf(events)]);
  });
});

describe('several reactions to one event on one record', () => {
  const reacting = (...acts: readonly string[]): AnyPolicy => ({
    ...countChanges,
    react: (_change, records) =>
      records.flatMap(({ id }) => acts.map((act) => ({ id: String(id), command: { kind: 'act', act } }))),
  });
  const visitsOf = async ({ clientId }: Place): Promise<unknown> =>
    (await admin.query(`select total_visits, version from clients.clients where id = $1`, [clientId]))
      .rows[0];

  it.each([
    ['of two policies', [reacting('ClientVisitCounted'), reacting('ClientVisitsCorrected')]],
    ['of one policy', [reacting('ClientVisitCounted', 'ClientVisitsCorrected')]],
  ])('%s are decided one after another, in one transaction, once each', async (_, policies) => {
    const place = await practiceIn(database);
    const events = lifeAt(place, { changes: 1, ends: false });
    const processes = [batchHandlerOf(tables, policies), batchHandlerOf(tables, policies)];
    for (const event of [...events, ...events])
      await Promise.all(processes.map((process) => process.apply(event)));
    const effects = events.flatMap(() => ['ClientVisitCounted', 'ClientVisitsCorrected']);
    expect(await effectsIn(place.therapistId)).toEqual(effects);
    expect(await visitsOf(place)).toEqual({ total_visits: effects.length, version: 1 + effects.length });
  });

  it('have no effect at all if one of them fails, and take effect when the event is delivered again', async () => {
    const place = await practiceIn(database);
    const [event] = lifeAt(place, { changes: 0, ends: false }) as [PublishedEvent];
    const failing = batchHandlerOf(tables, [reacting('ClientVisitCounted'), reacting('NoSuchEvent')]);
    await expect(failing.apply(event)).rejects.toThrow('NoSuchEvent');
    expect([await mirrorOf(place.therapistId), await effectsIn(place.therapistId)]).toEqual([[], []]);
    await handler.apply(event);
    expect(await effectsIn(place.therapistId)).toEqual(['ClientVisitCounted']);
  });
});

describe('the mirror', () => {
  it('stores that a record is deleted, and accepts a new record with its id', async () => {
    const place = await practiceIn(database);
    const events = lifeAt(place, { changes: 1, ends: true });
    await deliver([...events, ...events], [handler]);
    expect(await mirrorOf(place.therapistId)).toEqual([lineOf(events)]);
    const [first] = events as [PublishedEvent];
    await handler.apply({ ...first, version: 4 });
    expect(await mirrorOf(place.therapistId)).toEqual([lineOf([{ ...first, version: 4 }])]);
  });

  it('gets new rows in key order, so processes cannot deadlock', async () => {
    const { therapistId } = await practiceIn(database);
    for (let round = 0; round < 15; round += 1) {
      const ids = Array.from({ length: 300 }, () => randomUUID());
      const data = { client_id: null };
      const events = ids
        .toReversed()
        .map((streamId) =>
          published({ therapistId, streamId, version: 1, type: 'AppointmentScheduled', data }),
        );
      await Promise.all([handler.applyBatch(events), batchHandlerOf(tables).applyBatch(events.toReversed())]);
      expect((await mirrorOf(therapistId)).length).toBe(300 * (round + 1));
    }
  });
});
