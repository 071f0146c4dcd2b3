import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batch as batchFunction, catalog } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { sql } from '@practice/log';
import { RecordOwners } from '@practice/mirror';
import {
  SEARCH,
  type Accessed,
  type RestResponse,
  type WireBatch,
  type WireBatchReply,
} from '@practice/query';
import { AccessLog, NONE, type Written } from '@practice/read';
import type { Resource } from '@practice/resource';
import { asProblem, TenantDatabase } from '@practice/storage';
import type { AttemptResult, RemoteKnowledge } from '../engine/attempt-result.js';
import { confirmDeletions, removedMarks } from '../engine/confirm-deletions.js';
import { Deciders } from '../engine/deciders.js';
import type { Step } from '../engine/group/attempt.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import { workInTransaction, type Resumable } from '../engine/group/resumable.js';
import { keptUnder } from '../engine/idempotency.js';
import { InFlightDuplicates } from '../engine/in-flight-duplicates.js';
import { recordAccess } from '../engine/record-access.js';
import { Refusals } from '../engine/refusals.js';
import { UnitsOfWork } from '../engine/unit-of-work.js';
import type { Origin } from '../engine/write.command.js';
import { checkPermission } from '../functions/permission.js';
import { Batch } from './batch.command.js';
import { BatchRun, type Planned, type Ran, type RunResult } from './batch-run.js';

type Responded = AttemptResult<RestResponse>;

/** Carries out the operations of a batch that belong to the service, as one change: all of them or none. */
@CommandHandler(Batch)
export class BatchHandler implements ICommandHandler<Batch> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly units: UnitsOfWork,
    private readonly deciders: Deciders,
    private readonly owners: RecordOwners,
    private readonly duplicates: InFlightDuplicates,
    private readonly refusals: Refusals,
    private readonly accesses: AccessLog,
  ) {}

  /** @throws {Rejection} the refusal of an operation, with the name of the operation; 42501 if the caller may not send batches */
  async execute({ batch, origin }: Batch): Promise<RestResponse> {
    if (batch.nested !== true) checkPermission(batchFunction, origin);
    let planned: Planned[] = [];
    const begin = (): Planned[] => (planned = []);
    try {
      const reply = await this.duplicates.run(origin, () => this.run(batch, origin, begin));
      for (const { response = reply, ...each } of planned)
        await recordAccess(this.accesses, { ...each, origin }, response);
      if (planned.length === 0) await this.recordAgain(batch, origin, reply);
      return reply;
    } catch (error) {
      const problem = asProblem(error);
      if (!(problem instanceof Rejection)) throw problem;
      for (const each of planned)
        await recordAccess(this.accesses, { ...each, origin }, { ...problem.problem, body: null });
      return this.refusals.keep(problem, origin);
    }
  }

  private run(batch: WireBatch, origin: Origin, begin: () => Planned[]): Promise<RestResponse> {
    const { therapistId, requestId, deadline, gone, practiceRole, repeatable } = origin;
    return this.units.run<RestResponse>({
      ...{ therapistId, requestId, deadline, gone, writer: practiceRole, repeatable },
      ...{ batching: 'none', size: batch.operations.length, requiresOpen: true },
      begin: (known) => {
        this.owners.assume(batch.assumed, known.fetched);
        const run = new BatchRun(
          { database: this.database, deciders: this.deciders },
          { batch, origin, known },
          begin(),
        );
        return { decide: (view) => this.decide(view, run, { batch, origin, known }) };
      },
    });
  }

  private *decide(
    view: PracticeView,
    run: BatchRun,
    { batch, origin, known }: { batch: WireBatch; origin: Origin; known: RemoteKnowledge },
  ): Resumable<Step<Responded>> {
    yield* view.turn();
    const marked = yield* removedMarks(view, known.attempt);
    const { isDryRun } = batch;
    return yield* workInTransaction(async (transaction) => {
      await transaction.load([SAVEPOINT]);
      const result = await run.run(transaction, view);
      const unconfirmed =
        result.kind === 'ran'
          ? confirmDeletions(view, result.ran.deletions, { attempt: known.attempt, marked, isDryRun })
          : null;
      if (unconfirmed !== null || result.kind === 'unsettled') await transaction.load([TAKEN_BACK]);
      return unconfirmed ?? stepOf(result, batch, origin);
    });
  }

  /** Records the access of a repeated batch. Nothing is planned again: a kept response names the records, and a kept refusal does not. */
  private async recordAgain({ operations }: WireBatch, by: Origin, response: Written): Promise<void> {
    const methods = new Map(operations.map(({ resource, method }) => [resource, method]));
    for (const [name, method] of methods) {
      const resource = catalog.readable.get(name) as Resource;
      // An insert depends on no record.
      const isInsert = operations.every((one) => one.resource !== name || one.method === 'POST');
      const refused = (): Accessed => (isInsert ? NONE : SEARCH);
      await this.accesses.recordWrite([resource], { by, method }, { response, refused });
    }
  }
}

const SAVEPOINT = sql('SAVEPOINT batch');
const TAKEN_BACK = sql('ROLLBACK TO SAVEPOINT batch');

function stepOf(result: RunResult, batch: WireBatch, { repeatable }: Origin): Step<Responded> {
  if (result.kind === 'unsettled') return { kind: 'settled', value: result.value };
  const { ran } = result;
  const { isDryRun } = batch;
  return {
    kind: 'stored',
    how: isDryRun ? 'ROLLBACK' : 'COMMIT',
    accesses: ran.accesses,
    finish: () => ({ kind: 'done', value: responseTo(ran, isDryRun) }),
    ...keptUnder(repeatable, () => ({
      ...responseTo(ran, isDryRun),
      unrecorded: shownBy(ran, batch),
    })),
  };
}

/** The records that a repeated request shows again. Several operations may show records of one resource. */
function shownBy({ accesses }: Ran, { operations }: WireBatch): ReadonlyMap<string, Accessed> {
  const shown = new Map<string, Accessed>(operations.map(({ resource }) => [resource, NONE]));
  for (const { resource, record_ids, count } of accesses) {
    const before = shown.get(resource) ?? NONE;
    const ids = before.ids && record_ids && [...new Set([...before.ids, ...record_ids])];
    shown.set(resource, { ids, count: ids?.length ?? before.count + count });
  }
  return shown;
}

function responseTo({ answers, results, assumed, changeId }: Ran, isDryRun: boolean): RestResponse {
  const reply: WireBatchReply = { operations: answers, results: Object.fromEntries(results), assumed };
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(changeId === null || isDryRun ? {} : { 'Change-Id': changeId }),
    },
    body: JSON.stringify(reply),
  };
}
