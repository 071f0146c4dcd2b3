// One transaction over several records of the service and its private tables: for changes that do not come as a request
// for one resource, such as a sign-up.

import { Injectable } from '@nestjs/common';
import { EventBus } from '@nestjs/cqrs';
import {
  actFor,
  appendEvents,
  lockPractices,
  openPractice,
  pipeline,
  run,
  withClient,
} from '@practice/event-store';
import type { Statement } from '@practice/event-store';
import { instant } from '@practice/resource';
import type { Command, Resource, Row } from '@practice/resource';
import type { ClientBase } from 'pg';
import { Committed } from '../relay.js';
import { readRows, selectRows, upsertRows } from '../storage/tables.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { Aggregate } from './aggregate.js';
import { Deciders } from './deciders.js';
import { WriteQueue } from './group/write-queue.js';
import { changeOf, changesNothing } from './intent.js';
import { metadataOf } from './metadata.js';

/** Whose records are changed, and the request that causes it. */
export interface RecordOrigin {
  readonly therapistId: string;
  readonly requestId: string;
  readonly traceparent?: string;
}

/** The parts of a transaction that the work may use until the commit. */
export interface RecordTransaction {
  /** The transaction's connection, for private tables of the service. */
  readonly client: ClientBase;
  /** When the transaction began; the time of its events. */
  readonly now: string;
  /** Creates a record; its events are stored with the commit. */
  create(resource: Resource, record: Row): Promise<void>;
  /**
   * Changes a record; columns that keep their value cause no event. Deciders with lookups are not supported.
   * @returns whether the record exists
   * @throws {Rejection} when a rule forbids the change
   */
  change(resource: Resource, id: string, values: Row): Promise<boolean>;
}

@Injectable()
export class RecordTransactions {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queue: WriteQueue,
    private readonly deciders: Deciders,
    private readonly events: EventBus,
  ) {}

  /** Runs `work` under the practice's lock and commits. Nothing is kept when `work` throws. */
  async run<T>(origin: RecordOrigin, work: (transaction: RecordTransaction) => Promise<T>): Promise<T> {
    const result = await this.queue.exclusively(origin.therapistId, () =>
      withClient(this.database.writes, async (client, spoil) => {
        try {
          return await this.attempt(client, origin, work);
        } catch (error) {
          await run(client, sql('ROLLBACK')).catch(spoil);
          throw error;
        }
      }),
    );
    this.events.publish(new Committed());
    return result;
  }

  private async attempt<T>(
    client: ClientBase,
    origin: RecordOrigin,
    work: (transaction: RecordTransaction) => Promise<T>,
  ): Promise<T> {
    const log = { service: this.database.service, therapistId: origin.therapistId };
    const position = await lockedPosition(client, log);
    const records = new Records(client, this.deciders, origin);
    const result = await work(records);
    await pipeline(client, [...records.statements({ ...log, position }), sql('COMMIT')]);
    return result;
  }
}

interface Log {
  readonly service: string;
  readonly therapistId: string;
}

/** Begins the transaction, locks the practice and returns its position in the log. */
async function lockedPosition(client: ClientBase, { service, therapistId }: Log): Promise<number> {
  const lock = lockPractices(service, [therapistId], 'wait');
  const [, , [head] = []] = await pipeline(client, [sql('BEGIN'), actFor(therapistId), lock]);
  if (head !== undefined) return Number(head[1]);
  const [, [opened] = []] = await pipeline(client, [openPractice(service, therapistId), lock]);
  return Number(opened?.[1] ?? 0);
}

class Records implements RecordTransaction {
  readonly now = instant(Date.now());
  private readonly decided: { readonly resource: Resource; readonly record: Aggregate }[] = [];

  constructor(
    readonly client: ClientBase,
    private readonly deciders: Deciders,
    private readonly origin: RecordOrigin,
  ) {}

  async create(resource: Resource, record: Row): Promise<void> {
    const aggregate = new Aggregate(resource, String(record['id']), { state: null, version: 0 });
    this.decide(resource, aggregate, { kind: 'create', record });
  }

  async change(resource: Resource, id: string, values: Row): Promise<boolean> {
    const named = { column: 'id', values: [id] };
    const rows = await run(this.client, selectRows(resource, this.origin.therapistId, named));
    const [found] = readRows(resource, rows);
    if (found === undefined) return false;
    const intent = changeOf(resource, values, found);
    if (changesNothing(intent)) return true;
    const { state, version } = intent;
    this.decide(resource, new Aggregate(resource, id, { state, version }), intent.command);
    return true;
  }

  /** Appends the events and writes the records. */
  statements(log: Log & { readonly position: number }): Statement[] {
    const events = this.decided.flatMap(({ record }) => record.getUncommittedEvents());
    if (events.length === 0) return [];
    return [
      appendEvents(log, events),
      ...this.decided.flatMap(({ resource, record: { state, version } }) =>
        state === null ? [] : [upsertRows(resource, [{ therapistId: log.therapistId, row: state, version }])],
      ),
    ];
  }

  private decide(resource: Resource, record: Aggregate, command: Command): void {
    const rules = { decider: this.deciders.of(resource), metadata: metadataOf(this.origin) };
    record.execute(command, { now: this.now, rows: noLookups }, rules);
    this.decided.push({ resource, record });
  }
}

const noLookups = (): never => {
  throw new Error('lookups are not supported here');
};

const sql = (text: string): Statement => ({ text, values: [] });
