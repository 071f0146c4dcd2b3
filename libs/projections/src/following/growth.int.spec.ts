import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readLog } from '@practice/log';
import { createPublisher, removeSubscription, subscriptionLags, connect } from '@practice/bus';
import type { PublishedEvent, Connection } from '@practice/bus';
import { eventually, scratchSchema, stack, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import {
  batchHandlerOf,
  countChanges,
  lifeAt,
  openTables,
  practiceIn,
  published,
} from '../testing/projection-fixture.js';
import type { Tables } from '../testing/projection-fixture.js';
import { defineService } from '@practice/service';
import type { Mirrored } from '@practice/storage';
import type { AnyPolicy } from '../folding/projection-parts.js';
import { MirrorSubscriber, subscriptionOf } from './subscriber.js';

/** The service in the names of the subscriptions, so that no other spec uses them. */
const service = `spec-${randomUUID().slice(0, 8)}`;
let scratch: ScratchSchema;
let admin: Client;
let tables: Tables;
let bus: Connection;

beforeAll(async () => {
  scratch = await scratchSchema('clients');
  admin = await scratch.connect();
  tables = await openTables(scratch.url);
  bus = await connect({
    url: stack().natsUrl('admin'),
    name: 'growth spec',
    logger: { info() {}, warn() {}, error() {} },
  });
});

afterAll(async () => {
  for (const source of ['scheduling', 'clinical-notes', 'identity'])
    await removeSubscription(bus, subscriptionOf(service, source));
  await bus.close();
  await tables.close();
  await scratch.drop();
});

async function publish(events: readonly PublishedEvent[]): Promise<void> {
  for (const event of events) {
    const metadata = { ...event.metadata, actor: { kind: 'system' as const }, requestId: 'r' };
    const { publish: send } = createPublisher({ connection: bus, service: event.service });
    expect(await send([{ ...event, metadata }])).not.toContain(null);
  }
}

/** A process of the service in one of its releases. */
async function release(parts: {
  mirrored?: Mirrored;
  policies?: readonly AnyPolicy[];
}): Promise<MirrorSubscriber> {
  const { mirrored = {} } = defineService('clients', {
    rules: { ...parts.policies },
    reads: parts.mirrored ?? {},
  });
  const handler = batchHandlerOf(tables, parts.policies ?? [], mirrored);
  const subscriber = new MirrorSubscriber(
    { service, connection: bus, mirrored, crossTenant: tables.crossTenant },
    handler,
  );
  await subscriber.onApplicationBootstrap();
  return subscriber;
}

async function mirrorHas(therapistId: string, wanted: readonly string[]): Promise<void> {
  const text = `select resource, version from clients.mirror where therapist_id = $1 order by 1, 2`;
  await eventually(`the mirror has ${wanted.join(', ')}`, async () => {
    const { rows } = await admin.query<{ resource: string; version: number }>(text, [therapistId]);
    return rows.map(({ resource, version }) => `${resource} ${version}`).join() === wanted.join();
  });
}

/** The types of the practice's own events after the event of its client. */
async function effects(therapistId: string): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of readLog(admin, { service: 'clients', therapistId, after: 1 }))
    types.push(type);
  return types;
}

async function subscriptions(): Promise<string[]> {
  const names = (await subscriptionLags(bus)).map(({ name }) => name);
  return names.filter((name) => name.startsWith(service));
}

/**
 * The policy begins in the far future. The stream holds the events of all specs of a run; the policy would react to each
 * of them in a transaction of its own.
 */
const BEGINNING = '2999-05-01T00:00:00Z' as const;

const stamped = (events: readonly PublishedEvent[], recordedAt: string): PublishedEvent[] =>
  events.map((event) => ({ ...event, recordedAt }));

describe('what a deployed service mirrors', () => {
  it('grows without a gap, and policies react only to events since they began', async () => {
    const place = await practiceIn(tables.database);
    const { therapistId } = place;
    const hours = published({
      therapistId,
      streamId: randomUUID(),
      version: 1,
      aggregate: 'business_hours',
      type: 'BusinessHoursAdded',
      data: { day_of_week: 'monday', open_time: '09:00:00', close_time: '17:00:00' },
    });
    const [before, during, after] = [0, 1, 2].map(() => lifeAt(place, { changes: 1, ends: false })) as [
      PublishedEvent[],
      PublishedEvent[],
      PublishedEvent[],
    ];
    const first = await release({ mirrored: { business_hours: ['day_of_week'] } });
    await publish([hours, ...stamped(before, '2999-04-30T10:00:00Z')]);
    await mirrorHas(therapistId, ['business_hours 1']);
    await first.onApplicationShutdown();

    // The second release mirrors appointments, only because a policy reads them.
    await publish(stamped(during, '2999-05-02T10:00:00Z'));
    const policies = [{ ...countChanges, since: BEGINNING }];
    const second = await release({ mirrored: { business_hours: ['day_of_week'] }, policies });
    await publish(stamped(after, '2999-05-03T10:00:00Z'));
    await mirrorHas(therapistId, ['appointments 2', 'appointments 2', 'appointments 2', 'business_hours 1']);
    expect(await effects(therapistId)).toEqual([...during, ...after].map(() => 'ClientVisitCounted'));
    await second.onApplicationShutdown();
  });

  it('can include another service, and exclude it again', async () => {
    const { therapistId, clientId } = await practiceIn(tables.database);
    const note = published({
      therapistId,
      streamId: randomUUID(),
      version: 1,
      service: 'clinical-notes',
      aggregate: 'session_note',
      type: 'SessionNoteWritten',
      data: { client_id: clientId },
    });
    await publish([note]);
    const wider = await release({ mirrored: { business_hours: [], sessions: ['client_id'] } });
    await mirrorHas(therapistId, ['sessions 1']);
    expect(await subscriptions()).toEqual(
      ['clinical-notes', 'identity', 'scheduling'].map((source) => subscriptionOf(service, source)),
    );
    await wider.onApplicationShutdown();
    const narrower = await release({ mirrored: { sessions: ['client_id'] } });
    const left = ['clinical-notes', 'identity'].map((source) => subscriptionOf(service, source));
    await eventually('the unused one is deleted', async () => (await subscriptions()).join() === left.join());
    await narrower.onApplicationShutdown();
  });
});
