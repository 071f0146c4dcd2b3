// Carries out the operations of a batch in its transaction. Each is stored before the next is decided, which therefore sees it in the tables.

import { catalog } from '@practice/contracts';
import type { Payer } from '@practice/core';
import { actToWrite } from '@practice/log';
import { keyOf, type Deletion } from '@practice/mirror';
import { planWrite, requestOfOperation, withReferences } from '@practice/query';
import type {
  AssumedRecord,
  BatchAnswer,
  BatchOperation,
  BatchResult,
  ParsedRequest,
  RestResponse,
  WireBatch,
  WritePlan,
} from '@practice/query';
import { accessOf, rowJson, type Row } from '@practice/resource';
import { setZone, type AccessRow, type TenantDatabase, type Transaction } from '@practice/storage';
import type { AttemptResult, RemoteKnowledge } from '../engine/attempt-result.js';
import type { DecidedRecords } from '../engine/decided-records.js';
import type { Deciders } from '../engine/deciders.js';
import { EffectsOfWrite } from '../engine/effects.js';
import { executeWrite, type Work } from '../engine/execute.js';
import type { Step, Stored } from '../engine/group/attempt.js';
import { storing } from '../engine/group/flush.js';
import { PracticeView } from '../engine/group/practice-view.js';
import { carriedOut } from '../engine/group/resume.js';
import { checkSpace } from '../engine/quota.js';
import { replyIn } from '../engine/stored-write.js';
import type { Origin } from '../engine/write.command.js';
import { refuse } from './refused-operation.js';

/** The part of a batch that one service has carried out. */
export interface Ran {
  readonly answers: readonly BatchAnswer[];
  readonly results: ReadonlyMap<string, BatchResult>;
  readonly assumed: readonly AssumedRecord[];
  readonly deletions: readonly Deletion[];
  readonly accesses: readonly AccessRow[];
  /** Null if nothing was changed. */
  readonly changeId: string | null;
}

/** An operation with its response, once it is carried out. */
export interface Planned extends Pick<Work, 'plan' | 'method'> {
  response?: RestResponse;
}

type Unsettled = { readonly kind: 'unsettled'; readonly value: AttemptResult<never> };
/** Either all operations are carried out, or other services must be asked about records first. */
export type RunResult = { readonly kind: 'ran'; readonly ran: Ran } | Unsettled;

export class BatchRun {
  private readonly answers: BatchAnswer[] = [];
  private readonly results: Map<string, BatchResult>;
  private readonly assumed: AssumedRecord[] = [];
  /** The deletions of the present operation. */
  private readonly collected: Deletion[] = [];
  /** The deletions that other services must confirm, by the key of the record. */
  private readonly deletions = new Map<string, Deletion>();
  private readonly accesses: AccessRow[] = [];
  private readonly names: ReadonlySet<string>;
  /** Records that did not exist before the batch, so no other service refers to them. */
  private readonly created = new Set<string>();
  private events = 0;
  private zone: string | null = null;

  /** @param planned gets each operation before it is carried out */
  constructor(
    private readonly parts: { readonly database: TenantDatabase; readonly deciders: Deciders },
    private readonly given: {
      readonly batch: WireBatch;
      readonly origin: Origin;
      readonly known: RemoteKnowledge;
    },
    private readonly planned: Planned[],
  ) {
    this.results = new Map(Object.entries(given.batch.results));
    this.names = new Set(given.batch.names);
  }

  /** @throws {Rejection} the refusal of an operation, with the name of the operation */
  async run(transaction: Transaction, view: PracticeView): Promise<RunResult> {
    const change = view.nextChange;
    for (const operation of this.given.batch.operations) {
      const unsettled = await this.carryOut(operation, transaction, view).catch((error: unknown) =>
        refuse(operation, error, { names: this.names, request: () => this.requestOf(operation) }),
      );
      if (unsettled !== null) return unsettled;
    }
    const { answers, results, assumed, accesses } = this;
    const deletions = [...this.deletions.values()];
    const changeId = this.events === 0 ? null : change;
    return { kind: 'ran', ran: { answers, results, assumed, deletions, accesses, changeId } };
  }

  private async carryOut(
    operation: BatchOperation,
    transaction: Transaction,
    practice: PracticeView,
  ): Promise<Unsettled | null> {
    const plan = this.planOf(operation);
    const planned: Planned = { plan, method: operation.method };
    this.planned.push(planned);
    const rows: Row[] = [];
    const view = this.viewAfter(practice);
    await this.act(plan, transaction);
    const step = await this.decided(planned, { view, transaction, rows });
    if (step.kind === 'settled') return { kind: 'unsettled', value: step.value as AttemptResult<never> };
    planned.response = await this.store(step, { view, transaction });
    this.keep(operation, planned.response, { plan, rows, step });
    return null;
  }

  /** Sets role and zone again: the operation before may have read as its caller, or in a zone. */
  private async act({ role, timezone }: WritePlan, transaction: Transaction): Promise<void> {
    const { therapistId } = this.given.origin;
    const zone = timezone === this.zone ? [] : [setZone(timezone ?? 'UTC')];
    this.zone = timezone;
    await transaction.load([actToWrite([{ therapistId, role }]), ...zone]);
  }

  private planOf(operation: BatchOperation): WritePlan {
    const request = this.requestOf(operation);
    const { therapistId, userId, practiceRole } = this.given.origin;
    const context = { catalog, therapistId, userId, practiceRole };
    return planWrite(request, context);
  }

  private requestOf(given: BatchOperation): ParsedRequest {
    const operation = withReferences(given, this.names, this.results);
    const { prefer } = operation;
    const own = prefer === '' ? 'tx=rollback' : `${prefer},tx=rollback`;
    return requestOfOperation({ ...operation, prefer: this.given.batch.isDryRun ? own : prefer });
  }

  /** The state of the practice after the operations so far. */
  private viewAfter({ log, locked, nextChange }: PracticeView): PracticeView {
    const view = new PracticeView(log, nextChange);
    const { head } = locked;
    view.lockedAs({ ...locked, head: { ...head, position: head.position + this.events } });
    return view;
  }

  private async decided(
    { plan, method }: Planned,
    { view, transaction, rows }: { view: PracticeView; transaction: Transaction; rows: Row[] },
  ): Promise<Step<AttemptResult<RestResponse>>> {
    const { known, origin } = this.given;
    const { repeatable: _, ifMatch: __, ...own } = origin;
    const work = {
      ...{ plan, method, origin: own, deciders: this.parts.deciders },
      // Operations on resources whose writes have effects were refused earlier.
      effects: new EffectsOfWrite([]),
      onDecided: (records: readonly Row[]) => void rows.push(...records),
    };
    const { decide } = await executeWrite(work, { ...known, collected: this.collected }, view.now);
    return carriedOut(decide(view), transaction, { ...this.parts.database, payer: this.payer });
  }

  private async store(
    step: Stored<AttemptResult<RestResponse>>,
    { view, transaction }: { view: PracticeView; transaction: Transaction },
  ): Promise<RestResponse> {
    const { decided } = step;
    if (decided !== undefined) {
      checkSpace(view.locked, decided);
      view.staged.add(decided);
      this.events += decided.events.length;
      this.noteDeletions(decided);
    }
    const stored = { views: [view], steps: [step], payer: this.payer };
    const { statements, resultsOf } = await storing(transaction, this.parts.database, stored);
    const results = await transaction.load(statements).catch((error: unknown) => {
      throw step.explain?.(error) ?? error;
    });
    return replyIn(step.finish(resultsOf(step, results)));
  }

  private noteDeletions(decided: DecidedRecords): void {
    for (const deletion of this.collected.splice(0))
      if (!this.created.has(keyOf(deletion))) this.deletions.set(keyOf(deletion), deletion);
    // A record that was deleted and created again keeps its references.
    for (const key of createdIn(decided)) if (!this.deletions.delete(key)) this.created.add(key);
  }

  private keep(
    { as }: BatchOperation,
    response: RestResponse,
    { plan, rows, step }: { plan: WritePlan; rows: readonly Row[]; step: Stored<unknown> },
  ): void {
    const { status, body } = response;
    this.accesses.push(...(step.accesses ?? []));
    this.answers.push({ as, status, body: body === null || body === '' ? null : bodyOf(response) });
    if (as !== null) this.results.set(as, resultOf(plan, rows));
    if (!this.given.batch.isDryRun) return;
    for (const { resource, aggregate } of step.decided?.all ?? [])
      if (aggregate.state !== null)
        this.assumed.push({ ...aggregate, resource: resource.name, id: aggregate.id, row: aggregate.state });
  }

  private get payer(): Payer {
    const { therapistId, deadline, gone } = this.given.origin;
    return { therapistId, deadline, gone };
  }
}

/** The keys of new records. */
function createdIn({ all, events }: DecidedRecords): string[] {
  const first = new Set(
    events.filter(({ previous }) => previous == null).map((event) => `${event.aggregate} ${event.streamId}`),
  );
  return all
    .filter(({ resource, aggregate }) => first.has(`${resource.aggregate} ${aggregate.id}`))
    .map(({ resource, aggregate }) => keyOf({ resource: resource.name, id: aggregate.id }));
}

/** The parsed body. A CSV body stays a text. */
function bodyOf({ headers, body }: RestResponse): unknown {
  const type = headers['Content-Type'] ?? headers['content-type'] ?? 'application/json';
  return type.includes('json') ? JSON.parse(body ?? 'null') : body;
}

/** The result that later operations may refer to: only columns that the role of the caller sees. */
function resultOf({ resource, role }: WritePlan, rows: readonly Row[]): BatchResult {
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0) return { kind: 'records', count: rows.length };
  const { hidden } = accessOf(resource, role);
  const record = JSON.parse(rowJson(resource, row)) as Record<string, unknown>;
  return {
    kind: 'record',
    record: Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name))),
  };
}
