// A transaction over several records, as the work in it sees it.

import { problemFor, reject, type Identity, type Payer } from '@practice/core';
import { actToWrite, asSystem, type Statement } from '@practice/log';
import { entries, type Decider, type Resource, type Row } from '@practice/resource';
import type { ClientBase } from 'pg';
import { FetchedRecords, keyOf } from '@practice/mirror';
import type { TenantDatabase, Transaction } from '@practice/storage';
import type { DecidedRecords } from './decided-records.js';
import type { Deciders } from './deciders.js';
import { Decision } from './decision.js';
import type { EffectsOfWrite, RecordChange } from './effects.js';
import { storing } from './group/flush.js';
import { PracticeView } from './group/practice-view.js';
import { records } from './group/questions.js';
import { carriedOut } from './group/resume.js';
import { changeOf, changesNothing, type Intent } from './intent.js';
import { metadataOf } from './metadata.js';
import { requireSpace } from './quota.js';
import type { Origin } from './write.command.js';

/** Whose records are changed, and the request that causes it. */
export interface RecordOrigin extends Pick<Origin, 'therapistId' | 'requestId' | 'traceparent' | 'reason'> {
  /** Other practices that the work may change with `within`. All are locked before the work, in the order of their ids. */
  readonly otherPractices?: readonly string[] | undefined;
  /** The signed-in user, if there is one. */
  readonly by?: Identity;
  /** Milliseconds since the epoch, after which the caller no longer waits, and the transaction does not begin. */
  readonly deadline?: number;
}

/** The parts of a service that its records need. */
export interface Parts {
  readonly database: TenantDatabase;
  readonly deciders: Deciders;
  /** Begins the side effects of the changes of one practice. */
  readonly begin: () => EffectsOfWrite;
}

/**
 * The parts of a transaction that the work may use until the commit. Its records are decided like any write, in the order in which
 * the work asks for them.
 */
export class RecordTransaction {
  private readonly decision: Decision;
  private readonly changes = new Map<string, RecordChange & { readonly resource: Resource }>();

  constructor(
    private readonly transaction: Transaction,
    private readonly view: PracticeView,
    private readonly origin: RecordOrigin,
    private readonly parts: Parts,
  ) {
    const { by } = origin;
    this.decision = new Decision(view, {
      ...{ deciders: parts.deciders, fetched: new FetchedRecords(), trustsReferences: true },
      ...(by !== undefined && { by }),
      metadata: metadataOf(origin, by),
    });
  }

  /** The transaction's connection, for private tables of the service. */
  get client(): ClientBase {
    return this.transaction.client;
  }

  /** When the transaction began; the time of its events. */
  get now(): string {
    return this.view.now;
  }

  /** When the practice is erased; null unless it is closed. */
  get eraseAt(): string | null {
    return this.view.locked.head.eraseAt;
  }

  /** To be called before something that is no event is stored for a caller. @throws {Rejection} PM507 without space for it */
  requireSpace(): void {
    requireSpace(this.view.locked);
  }

  /** The id of the change, once it has an event. */
  get changeId(): string | undefined {
    return this.decision.changeId ?? undefined;
  }

  get decided(): DecidedRecords {
    return this.decision.decided;
  }

  /** Creates a record; its events are stored with the commit. */
  create(resource: Resource, record: Row): Promise<void> {
    return this.createBy(this.parts.deciders.of(resource), record);
  }

  /** As `create`, by a decider of its own, for a creation that callers cannot request. */
  async createBy(decider: Decider, record: Row): Promise<void> {
    const command = { kind: 'create', record } as const;
    await this.decide(decider, { id: String(record['id']), command, state: null, version: 0 });
  }

  /**
   * Changes a record; columns that keep their value cause no event.
   * @returns whether the record exists
   * @throws {Rejection} when a rule forbids the change
   */
  change(resource: Resource, id: string, values: Row): Promise<boolean> {
    return this.changeAs(resource, this.parts.deciders.of(resource), { id, values });
  }

  /** As `change`, by a decider of its own, for a change that callers cannot request; it may change read-only columns. */
  changeBy(decider: Decider, id: string, values: Row): Promise<boolean> {
    return this.changeAs(writable(decider.definition), decider, { id, values });
  }

  /**
   * Does work in another practice as well, and stores its changes with the same commit. Afterwards the transaction acts for its own
   * practice again.
   * @throws {Rejection} PM503 for a practice that is not among the `otherPractices` of the origin
   */
  async within<T>(therapistId: string, work: (there: RecordTransaction) => Promise<T>): Promise<T> {
    if (therapistId === this.origin.therapistId) return work(this);
    if (!this.transaction.hasLocked(therapistId)) reject(notLocked);
    return this.withinNew(therapistId, work);
  }

  /** As `within`, in a practice that this transaction creates. No other transaction knows its id, so it need not be locked before. */
  async withinNew<T>(therapistId: string, work: (there: RecordTransaction) => Promise<T>): Promise<T> {
    const view = new PracticeView({ service: this.parts.database.service, therapistId });
    const head = await this.transaction.lockAlso(therapistId);
    view.lockedAs({ head, isFull: false, isKeptFull: false, isDiskLow: false });
    const there = new RecordTransaction(this.transaction, view, { ...this.origin, therapistId }, this.parts);
    const result = await work(there);
    await there.store();
    await this.transaction.load([actToWrite([asSystem(this.origin.therapistId)])]);
    return result;
  }

  /** The statements of the side effects of what was decided. */
  effects(): Statement[] {
    return this.changes.size === 0 ? [] : this.parts.begin().begin([...this.changes.values()]);
  }

  private async store(): Promise<void> {
    if (this.decided.events.length === 0) return;
    this.view.staged.add(this.decided);
    const step = { kind: 'stored', how: 'COMMIT', after: this.effects(), finish: () => undefined } as const;
    const { statements } = await storing(this.transaction, this.parts.database, {
      ...{ views: [this.view], steps: [step], payer: this.payer },
    });
    await this.transaction.load(statements);
  }

  private async changeAs(
    resource: Resource,
    decider: Decider,
    { id, values }: { readonly id: string; readonly values: Row },
  ): Promise<boolean> {
    const { name } = resource;
    const byId = { resource: name, column: 'id', values: [id] };
    // The work may have changed the tables itself.
    this.view.forget();
    const stored = await this.carryOut(records(this.view, decider.definition, byId));
    const [found] = this.decided.overlay(byId, stored);
    if (found === undefined) return false;
    const intent = changeOf(resource, values, found);
    if (!changesNothing(intent)) await this.decide(decider, intent);
    return true;
  }

  private async decide(decider: Decider, asked: Intent): Promise<void> {
    const intent = { ...asked, decider };
    const resource = decider.definition;
    await this.carryOut(this.decision.lookUp(resource, [intent]));
    await this.carryOut(this.decision.decide(resource, [intent]));
    const { state: after } = this.decided.of(resource, intent);
    const key = keyOf({ resource: resource.name, id: intent.id });
    const { before } = this.changes.get(key) ?? { before: intent.state };
    this.changes.set(key, { resource, therapistId: this.origin.therapistId, before, after });
  }

  private carryOut<T>(steps: Parameters<typeof carriedOut<T>>[0]): Promise<T> {
    return carriedOut(steps, this.transaction, { ...this.parts.database, payer: this.payer });
  }

  private get payer(): Payer {
    return { therapistId: this.origin.therapistId };
  }
}

/** A practice was found before the transaction, and another one inside it: a membership has changed in between. */
const notLocked = problemFor('PM503', {
  message: 'The practices that the request is about have changed meanwhile',
  headers: { 'Retry-After': '1' },
});

/** The resource without read-only columns and final records: the service itself may change them. */
const writable = ({ locked: _, ...resource }: Resource): Resource => ({
  ...resource,
  columns: Object.fromEntries(
    entries(resource.columns).map(([name, rules]) => [name, { ...rules, readOnly: false }]),
  ) as Resource['columns'],
});
