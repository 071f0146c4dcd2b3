// The records of one practice in a transaction of `RecordTransactions`.

import { changeIdOf } from '@practice/core';
import { actToWrite, appendEvents, asSystem, pipeline, run } from '@practice/log';
import type { Statement } from '@practice/log';
import { entries } from '@practice/resource';
import type { Command, Decider, Resource, Row } from '@practice/resource';
import type { ClientBase } from 'pg';
import { readRows, selectRows, upsertRows } from '@practice/storage';
import { Aggregate } from './aggregate.js';
import type { Deciders } from './deciders.js';
import type { EffectsOfWrite } from './effects.js';
import { changeOf, changesNothing } from './intent.js';
import { metadataOf } from './metadata.js';
import { lockPractice } from './practice-locks.js';
import type { LockedHead, Locks } from './practice-locks.js';
import type { RecordOrigin, RecordTransaction } from './record-transaction.js';

/** The parts of a transaction that its records need. */
export interface Parts extends Locks {
  readonly deciders: Deciders;
  readonly begin: () => EffectsOfWrite;
}

/** Locks a practice, for which the transaction acts from now on. */
export async function lockedRecords(
  client: ClientBase,
  parts: Parts,
  { origin, begin = [] }: { readonly origin: RecordOrigin; readonly begin?: readonly Statement[] },
): Promise<Records> {
  const head = await lockPractice(client, parts, { therapistId: origin.therapistId, begin });
  const changeId = changeIdOf(parts.service, head.position + 1);
  return new Records(client, parts, { ...origin, ...head, changeId });
}

export class Records implements RecordTransaction {
  private readonly decided: DecidedRecord[] = [];

  constructor(
    readonly client: ClientBase,
    private readonly parts: Parts,
    private readonly origin: RecordOrigin & { readonly changeId: string } & LockedHead,
  ) {}

  get now(): string {
    return this.origin.lockedAt;
  }

  get eraseAt(): string | null {
    return this.origin.eraseAt;
  }

  get changeId(): string | undefined {
    const hasEvents = this.decided.some(({ record }) => record.getUncommittedEvents().length > 0);
    return hasEvents ? this.origin.changeId : undefined;
  }

  create(resource: Resource, record: Row): Promise<void> {
    return this.createBy(this.parts.deciders.of(resource), record);
  }

  async createBy(decider: Decider, record: Row): Promise<void> {
    const resource = decider.definition;
    const aggregate = new Aggregate(resource, String(record['id']), { state: null, version: 0 });
    this.decide(decider, aggregate, { command: { kind: 'create', record }, before: null });
  }

  change(resource: Resource, id: string, values: Row): Promise<boolean> {
    return this.changeAs(resource, this.parts.deciders.of(resource), { id, values });
  }

  changeBy(decider: Decider, id: string, values: Row): Promise<boolean> {
    return this.changeAs(writable(decider.definition), decider, { id, values });
  }

  private async changeAs(
    resource: Resource,
    decider: Decider,
    { id, values }: { readonly id: string; readonly values: Row },
  ): Promise<boolean> {
    const named = { column: 'id', values: [id] };
    const rows = await run(this.client, selectRows(resource, this.origin.therapistId, named));
    const [found] = readRows(resource, rows);
    if (found === undefined) return false;
    const intent = changeOf(resource, values, found);
    if (changesNothing(intent)) return true;
    const { state, version } = intent;
    const aggregate = new Aggregate(decider.definition, id, { state, version });
    this.decide(decider, aggregate, { command: intent.command, before: state });
    return true;
  }

  async within<T>(therapistId: string, work: (there: RecordTransaction) => Promise<T>): Promise<T> {
    if (therapistId === this.origin.therapistId) return work(this);
    const there = await lockedRecords(this.client, this.parts, {
      origin: { ...this.origin, therapistId },
    });
    const result = await work(there);
    const back = actToWrite([asSystem(this.origin.therapistId)]);
    await pipeline(this.client, [...there.statements(), back]);
    return result;
  }

  /** Appends the events, writes the records and adds the effects. */
  statements(): Statement[] {
    const { therapistId, position } = this.origin;
    const log = { service: this.parts.service, therapistId, position };
    const events = this.decided.flatMap(({ record }) => record.getUncommittedEvents());
    if (events.length === 0) return [];
    return [
      appendEvents(log, events),
      ...this.decided.flatMap(({ resource, record: { state, version } }) =>
        state === null ? [] : [upsertRows(resource, [{ therapistId, row: state, version }])],
      ),
      ...this.parts.begin().begin(
        this.decided.map(({ resource, before, record: { state: after } }) => ({
          ...{ resource, before, after, therapistId },
        })),
      ),
    ];
  }

  private decide(decider: Decider, record: Aggregate, { command, before }: Asked): void {
    const made = metadataOf(this.origin, this.origin.by);
    const metadata = () => Object.assign(made(), { changeId: this.origin.changeId });
    const rules = { decider, metadata };
    const { by } = this.origin;
    record.execute(command, { now: this.now, rows: noLookups, ...(by !== undefined && { by }) }, rules);
    this.decided.push({ resource: decider.definition, record, before });
  }
}

interface Asked {
  readonly command: Command;
  readonly before: Row | null;
}

interface DecidedRecord {
  readonly resource: Resource;
  readonly record: Aggregate;
  readonly before: Row | null;
}

/** The resource without read-only columns: the service itself may change them. */
const writable = (resource: Resource): Resource => ({
  ...resource,
  columns: Object.fromEntries(
    entries(resource.columns).map(([name, rules]) => [name, { ...rules, readOnly: false }]),
  ) as Resource['columns'],
});

const noLookups = (): never => {
  throw new Error('lookups are not supported here');
};
