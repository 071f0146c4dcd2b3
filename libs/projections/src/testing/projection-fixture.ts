// The projections of the clients service in a database of their own, for specs of the effects of events.

import { afterAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBus } from '@nestjs/cqrs';
import { allSteps } from '@practice/core';
import { resourcesOf } from '@practice/contracts';
import { appendAll, asSystem, keyEncryptionOf } from '@practice/log';
import type { PublishedEvent, Requester } from '@practice/bus';
import { instant, lifecycleOf, type Decider, type Resource } from '@practice/resource';
import pg from 'pg';
import type { Mirrored, Scope } from '@practice/storage';
import { BatchHandler } from '../applying/batch-handler.js';
import { MissingEvents } from '../applying/missing-events.js';
import { Troubles } from '@practice/process';
import { ApplyEventHandler } from '../applying/apply-event.handler.js';
import type { AnyPolicy } from '../folding/projection-parts.js';
import { ErasureLedger } from '@practice/privacy';
import { DeletionBarrier, RecordOwners } from '@practice/mirror';
import {
  TenantDatabase,
  CrossTenantConnection,
  openPool,
  serviceDdl,
  upsertRows,
  inTransaction,
} from '@practice/storage';
import { Deciders, WriteQueue, UnitsOfWork } from '@practice/write';

export const service = 'clients';
const ledgerFile = join(tmpdir(), `practice-${randomUUID()}.erasures`);
afterAll(() => rmSync(ledgerFile, { force: true }));

export const resources = resourcesOf(service);
const mirrored = { appointments: ['client_id', 'status'], sessions: ['client_id'] };

/** Executes every act and counts it, so the log shows how often policies had their effect. */
const counting: Decider = {
  definition: resources.find(({ name }) => name === 'clients') as Resource,
  lookups: () => [],
  decide: (command, state) =>
    command.kind === 'act'
      ? [{ type: command.act, data: { total_visits: Number(state?.['total_visits']) + 1 } }]
      : [],
};

/** Every event of a client's appointment adds a visit. The deletion of the appointment subtracts one. */
export const countChanges: AnyPolicy = {
  name: 'countChanges',
  when: 'appointments',
  since: 'beginning',
  reads: ['client_id', 'status'],
  acts: 'clients',
  concerns: ({ before, after }) => {
    const id = (after ?? before)?.['client_id'];
    return typeof id === 'string' ? { column: 'id', values: [id] } : null;
  },
  react: ({ after }, records) =>
    records.map(({ id }) => ({
      id: String(id),
      command: { kind: 'act', act: after === null ? 'ClientVisitUncounted' : 'ClientVisitCounted' },
    })),
};

/** The service's tables, as its requests and as its projections see them. */
export interface Tables {
  readonly database: TenantDatabase;
  readonly crossTenant: CrossTenantConnection;
  close(): Promise<void>;
}

/** Makes the tables in an empty schema, as its owner, and opens them. */
export async function openTables(url: (role: string) => string): Promise<Tables> {
  const ownerUrl = url('clients_owner');
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  for (const statement of await serviceDdl({ service, mirrored }, ownerUrl)) await owner.query(statement);
  await owner.end();
  const pool = openPool({ service, url: url('clients'), connections: 5, onError: () => undefined });
  const reading = { connections: 1, statementMs: 1_000 };
  const keys = keyEncryptionOf('a key-encryption key for this process');
  const database = new TenantDatabase(service, pool, reading, undefined, keys);
  const crossTenant = new CrossTenantConnection(service, url('clients_relay'), () => undefined);
  return {
    database,
    crossTenant,
    close: async () => void (await Promise.all([database.close(), crossTenant.close()])),
  };
}

/** Takes the place of the bus: no spec here needs another service. */
const requester: Requester = {
  request: () => Promise.reject(new Error('no other service runs here')),
  giveUp: () => undefined,
  inFlight: () => 0,
  close: () => undefined,
};

/** The batch handler of one process. Each process has its own queue. */
export function batchHandlerOf(
  { database, crossTenant }: Tables,
  policies: readonly AnyPolicy[] = [countChanges],
  columns: Mirrored = mirrored,
): BatchHandler {
  const events = { publish: () => undefined } as unknown as EventBus;
  const owners = new RecordOwners(requester, mirrored);
  const barrier = new DeletionBarrier(requester);
  const units = new UnitsOfWork(database, new WriteQueue(database, events), owners, barrier);
  const parts = { mirrored: columns, policies };
  const ledger = new ErasureLedger(ledgerFile);
  const deciders = new Deciders(resources, [counting]);
  const handler = new ApplyEventHandler(parts, units, deciders, database, ledger);
  const commands = { execute: (command: never) => handler.execute(command) as never };
  const missing = new MissingEvents(requester, {
    logger: { warn: () => undefined },
    troubles: new Troubles(),
  });
  return new BatchHandler(service, parts, { crossTenant, commands, missing });
}

const at = (moment: number): string => instant(1_750_000_000_000 + moment);

export interface Place {
  readonly therapistId: string;
  readonly clientId: string;
}

/** A transaction of one practice, which waits for its lock. */
const scopeOf = (therapistId: string): Scope => ({
  service,
  writers: [asSystem(therapistId)],
  waiting: 'wait',
});

/** A practice with one client, who has no visits. */
export async function practiceIn(database: TenantDatabase): Promise<Place> {
  const clients = resources.find(({ name }) => name === 'clients') as Resource;
  const [therapistId, clientId] = [randomUUID(), randomUUID()];
  const row = { id: clientId, therapist_id: therapistId, name: 'Ada', email: null, phone: null };
  const record = { ...row, status: 'active', total_visits: 0, created_at: at(0), updated_at: at(0) };
  const metadata = {
    eventId: randomUUID(),
    actor: { kind: 'system' as const },
    requestId: 'r',
    correlationId: 'c',
  };
  const stream = {
    aggregate: 'client',
    streamId: clientId,
    version: 1,
    schemaVersion: 1,
    lifecycle: lifecycleOf(clients),
    metadata,
    recordedAt: at(0),
  };
  await inTransaction(database.writes, scopeOf(therapistId), async (transaction) => {
    await transaction.begin([]);
    const position = transaction.heads.get(therapistId)?.position ?? 0;
    const events = [{ ...stream, type: 'ClientRegistered', data: record }];
    const registered = allSteps(appendAll(service, [{ therapistId, position, events }]));
    await transaction.end(
      [registered, allSteps(upsertRows(clients, [{ therapistId, row: record, version: 1 }]))],
      'COMMIT',
    );
  });
  return { therapistId, clientId };
}

type Given = Pick<PublishedEvent, 'therapistId' | 'streamId' | 'version' | 'type'> & Partial<PublishedEvent>;

/** A published event. It is about an appointment unless `event` names another aggregate. */
export const published = (event: Given): PublishedEvent => ({
  service: 'scheduling',
  aggregate: 'appointment',
  position: event.version,
  schemaVersion: 1,
  data: {},
  metadata: { eventId: randomUUID(), correlationId: 'c' },
  recordedAt: at(event.version),
  ...event,
});

/** The events of an appointment: it is booked, changed `changes` times, and deleted if `ends` is true. */
export function lifeAt(
  { therapistId, clientId }: Place,
  { changes, ends }: { changes: number; ends: boolean },
): PublishedEvent[] {
  const stream = { therapistId, streamId: randomUUID() };
  const data = { id: stream.streamId, client_id: clientId, status: 'scheduled', notes: 'kept elsewhere' };
  const steps = [
    { type: 'AppointmentConfirmed', data: { status: 'confirmed' } },
    { type: 'AppointmentUnconfirmed', data: { status: 'scheduled' } },
  ];
  const changed = Array.from({ length: changes }, (_, index) => ({
    version: index + 2,
    ...(steps[index % 2] as (typeof steps)[0]),
  }));
  return [
    published({ ...stream, version: 1, type: 'AppointmentScheduled', data }),
    ...changed.map((change) => published({ ...stream, ...change })),
    ...(ends ? [published({ ...stream, version: changes + 2, type: 'AppointmentDeleted' })] : []),
  ];
}
