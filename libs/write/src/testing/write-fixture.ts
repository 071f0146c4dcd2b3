// The write path of the scheduling service in a database of its own, for any number of processes, with one rule: the opening
// hours of a day do not overlap.

import { randomUUID } from 'node:crypto';
import type { EventBus } from '@nestjs/cqrs';
import { businessHours, catalog, resourcesOf } from '@practice/contracts';
import { reject } from '@practice/core';
import { keyEncryptionOf } from '@practice/log';
import type { Requester } from '@practice/bus';
import { createLogger } from '@practice/process';
import { parseRequest, planWrite } from '@practice/query';
import type { Method, RestHeaders, RestResponse } from '@practice/query';
import { deciderOf, type Decider, type RowOf } from '@practice/resource';
import pg from 'pg';
import { DeletionAttempt, DeletionBarrier, FetchedRecords, RecordOwners } from '@practice/mirror';
import { serviceDdl, asProblem, openPool, TenantDatabase } from '@practice/storage';
import { AccessLog } from '@practice/read';
import { batchingOf, sizeOf } from '../engine/company.js';
import { Deciders } from '../engine/deciders.js';
import { Effects } from '../engine/effects.js';
import { executeWrite } from '../engine/execute.js';
import type { Grouped } from '../engine/group/member.js';
import { WriteQueue } from '../engine/group/write-queue.js';
import type { Repeatable } from '@practice/query';
import { InFlightDuplicates } from '../engine/in-flight-duplicates.js';
import { Refusals } from '../engine/refusals.js';
import { UnitsOfWork } from '../engine/unit-of-work.js';
import { Write, type Origin } from '../engine/write.command.js';
import { WriteHandler } from '../engine/write.handler.js';

export const service = 'scheduling';
const mirrored = { clients: ['name'] };
const resources = resourcesOf(service);

type Hours = RowOf<typeof businessHours>;

/** The database has the same rule, so a spec may leave it to the database. */
const withoutOverlap: Decider<typeof businessHours> = {
  definition: businessHours,
  enforces: ['business_hours_day_of_week_open_time_key', 'business_hours_no_overlap'],
  lookups: (command, state) => {
    const day = command.kind === 'create' ? command.record.day_of_week : undefined;
    const changed = command.kind === 'change' ? (command.changes.day_of_week ?? state?.day_of_week) : day;
    return changed === undefined
      ? []
      : [{ resource: businessHours.name, column: 'day_of_week', values: [changed] }];
  },
  decide: (command, state, context) => {
    const next = command.kind === 'create' ? command.record : { ...state, ...nextOf(command) };
    if (command.kind !== 'delete') checkFree(next as Hours, context);
    return deciderOf(businessHours).decide(command as never, state as never, context) as never;
  },
};

const nextOf = (command: Parameters<(typeof withoutOverlap)['decide']>[0]): object =>
  command.kind === 'change' ? command.changes : {};

function checkFree(next: Hours, context: Parameters<(typeof withoutOverlap)['decide']>[2]): void {
  const taken = context
    .rows(businessHours, 'day_of_week', next.day_of_week)
    .some(
      ({ id, open_time: from, close_time: to }) =>
        id !== next.id && from < next.close_time && next.open_time < to,
    );
  if (taken) reject({ status: 409, code: 'PM003', message: 'business hours overlap' });
}

/** A write as a caller sends it. */
export interface Sent {
  readonly method: Method;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: RestHeaders;
  readonly requestId?: string;
  readonly repeatable?: Repeatable;
  readonly ifMatch?: string;
  /** How long its caller waits, in milliseconds; 20 s by default. */
  readonly waitMs?: number;
}

/** One process of the service. */
export interface ServiceProcess {
  readonly database: TenantDatabase;
  write(therapistId: string, sent: Sent): Promise<RestResponse>;
  /** A write as a member of a group. */
  memberOf(therapistId: string, sent: Sent): Grouped<unknown>;
  close(): Promise<void>;
}

/** Makes the tables in an empty schema, as its owner. */
export async function makeTables(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  for (const statement of await serviceDdl({ service, mirrored }, ownerUrl)) await owner.query(statement);
  await owner.end();
}

/** Takes the place of the bus: no record here refers to another service. */
const requester: Requester = {
  request: () => Promise.reject(new Error('no other service runs here')),
  giveUp: () => undefined,
  inFlight: () => 0,
  close: () => undefined,
};

const reading = { connections: 1, statementMs: 1_000 };
const keys = keyEncryptionOf('a key-encryption key for this service');

/**
 * Starts a process.
 * @param rule whether the decider or only the database refuses hours that overlap
 * @param limits.quotaBytes the storage of a practice
 * @param limits.disk whether the disk is almost full
 */
export function startProcess(
  url: string,
  rule: 'decided' | 'left to the database',
  { quotaBytes, disk }: { readonly quotaBytes?: number; readonly disk?: TenantDatabase['disk'] } = {},
): ServiceProcess {
  const pool = openPool({ service, url, connections: 7, onError: () => undefined });
  const database = new TenantDatabase(service, pool, reading, quotaBytes, keys, disk);
  const events = { publish: () => undefined } as unknown as EventBus;
  const owners = new RecordOwners(requester, mirrored);
  const barrier = new DeletionBarrier(requester);
  const units = new UnitsOfWork(database, new WriteQueue(database, events), owners, barrier);
  const named = rule === 'decided' ? [withoutOverlap] : [];
  const deciders = new Deciders(resources, named);
  const effects = new Effects([]);
  const handler = new WriteHandler(
    database,
    units,
    deciders,
    new InFlightDuplicates(),
    new Refusals(units),
    effects,
    new AccessLog(database, createLogger(service, 'error')),
  );
  return {
    database,
    write: (therapistId, sent) => handler.execute(new Write(requestOf(sent), originOf(therapistId, sent))),
    memberOf: (therapistId, sent) => memberOf(therapistId, sent, deciders),
    close: () => database.close(),
  };
}

function memberOf(therapistId: string, sent: Sent, deciders: Deciders): Grouped<unknown> {
  const plan = planWrite(requestOf(sent), { catalog, therapistId, practiceRole: 'owner' });
  const origin = originOf(therapistId, sent);
  const work = { plan, origin, method: sent.method, deciders, effects: new Effects([]).ofOneWrite() };
  return {
    ...{ therapistId, writer: 'owner', deadline: origin.deadline, requiresOpen: true },
    ...{ repeatable: sent.repeatable, replayed: (value) => ({ kind: 'done', value }) },
    batching: batchingOf(plan, deciders, sent.repeatable !== undefined),
    size: sizeOf(plan),
    begin: (now) => executeWrite(work, nothingKnown(), now),
  };
}

const nothingKnown = () => ({ fetched: new FetchedRecords(), attempt: new DeletionAttempt() });

const requestOf = ({ method, query = '', body, headers = {} }: Sent) =>
  parseRequest({
    method,
    query,
    resource: businessHours.name,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
  });

const originOf = (
  therapistId: string,
  { requestId = randomUUID(), repeatable, ifMatch, waitMs = 20_000 }: Sent,
): Origin => ({
  ...{ therapistId, userId: therapistId, practiceRole: 'owner' },
  requestId,
  deadline: Date.now() + waitMs,
  ...(repeatable === undefined ? {} : { repeatable }),
  ifMatch,
});

/** The status of a write's response, also of a refusal. */
export async function statusOf(written: Promise<RestResponse>): Promise<number> {
  try {
    return (await written).status;
  } catch (error) {
    const problem = asProblem(error, businessHours) as { problem?: { status: number } };
    if (problem.problem === undefined) throw error;
    return problem.problem.status;
  }
}
