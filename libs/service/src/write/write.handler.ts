import { CommandHandler, EventBus } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { reject, Rejection } from '@practice/core';
import type { Statement } from '@practice/event-store';
import { problemReply } from '@practice/messaging';
import { isUpsert, planUpsert, planWrite } from '@practice/query';
import type { RestResponse } from '@practice/query';
import { MAX_ROWS } from '../limits.js';
import { DeletionBarrier } from '../references/deletion-barrier.js';
import { FetchedRecords, RecordOwners, Unanswered } from '../references/record-owners.js';
import { Committed } from '../relay.js';
import { asProblem, busy } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { inTransaction } from '../storage/transaction.js';
import { setZone } from '../storage/zone.js';
import { executeWrite } from './execute.js';
import type { Work } from './execute.js';
import { Deciders } from './deciders.js';
import { guardOf, rememberAnswer, Replayed } from './idempotency.js';
import { PracticeQueue } from './practice-queue.js';
import { claimKey, stillRunning, InFlightDuplicates } from './in-flight-duplicates.js';
import { Write } from './write.command.js';
import type { Origin } from './write.command.js';

/** One transaction for a write, whatever the number of its records; before it, what other services must be asked. */
@CommandHandler(Write)
export class WriteHandler implements ICommandHandler<Write> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly queue: PracticeQueue,
    private readonly owners: RecordOwners,
    private readonly deciders: Deciders,
    private readonly events: EventBus,
    private readonly duplicates: InFlightDuplicates,
    private readonly barrier: DeletionBarrier,
  ) {}

  async execute({ request, origin }: Write): Promise<RestResponse> {
    const { therapistId, semiJoinKeys } = origin;
    const context = { catalog, therapistId, maxRows: MAX_ROWS, semiJoinKeys };
    const plan = isUpsert(request) ? planUpsert(request, context) : planWrite(request, context);
    const { resource } = plan;
    const work = {
      plan,
      origin,
      decider: this.deciders.of(resource),
      answers: new FetchedRecords(),
      gone: new Map<string, number>(),
    };
    try {
      const reply = await this.duplicates.run(origin, () => this.executeAsking(work));
      this.events.publish(new Committed());
      await this.partFrom(work);
      return reply;
    } catch (error) {
      if (error instanceof Replayed) return error.reply;
      const problem = asProblem(error, plan.resource);
      if (!(problem instanceof Rejection)) throw problem;
      if (problem.problem === busy) await this.checkDuplicate(origin);
      return this.refused(problem, origin).catch((failure: unknown) => {
        throw asProblem(failure, plan.resource);
      });
    }
  }

  private partFrom({ plan: { resource }, gone, origin }: Work): Promise<void> {
    const departed = { resource: resource.name, ids: [...gone.keys()], versions: [...gone.values()] };
    return this.barrier.heard(departed, origin);
  }

  /** Asks other services what it must know of them, outside any transaction, and then decides anew. */
  private async executeAsking(work: Work): Promise<RestResponse> {
    for (;;) {
      try {
        return await this.inTurn(work);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        await this.owners.ask(error.lookups, work.origin, work.answers);
      }
    }
  }

  private inTurn(work: Work): Promise<RestResponse> {
    const { therapistId, deadline, repeatable } = work.origin;
    const { service } = this.database;
    const guard = repeatable && guardOf(service, therapistId, repeatable);
    const log = { service, therapistId, guard, sessionSetup: sessionSetupOf(work) };
    return this.queue.run(therapistId, () => {
      // Its caller was told that we are away, and may do it again: done now, it would be done twice.
      if (deadline < Date.now()) reject(busy);
      return inTransaction(this.database.writes, log, (transaction) => executeWrite(transaction, work));
    });
  }

  /** Waited too long for the practice: for another process that does the same, perhaps. */
  private async checkDuplicate({ therapistId, repeatable }: Origin): Promise<void> {
    if (repeatable === undefined) return;
    const [row] = await this.database.reads.run(therapistId, claimKey(therapistId, repeatable.key));
    if (row?.[0] === 'f') reject(stillRunning);
  }

  /** A refusal is an answer too: who repeats the request gets the first one again. */
  private async refused(rejection: Rejection, { therapistId, repeatable }: Origin): Promise<RestResponse> {
    const { problem } = rejection;
    if (repeatable === undefined || problem.status >= 500 || problem.code === 'PM005') throw rejection;
    const { service } = this.database;
    const log = { service, therapistId, guard: guardOf(service, therapistId, repeatable) };
    const answer = { ...repeatable, reply: problemReply(problem) };
    try {
      await inTransaction(this.database.writes, log, async (transaction) => {
        await transaction.begin([]);
        await transaction.end(rememberAnswer(service, therapistId, answer), 'COMMIT');
      });
    } catch (error) {
      if (error instanceof Replayed) return error.reply;
      throw error;
    }
    throw rejection;
  }
}

function sessionSetupOf({
  plan: { timezone, therapistId },
  origin: { repeatable },
}: Work): readonly Statement[] {
  return [
    ...(timezone === null ? [] : [setZone(timezone)]),
    ...(repeatable === undefined ? [] : [claimKey(therapistId, repeatable.key)]),
  ];
}
