import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { reject, Rejection } from '@practice/core';
import type { Statement } from '@practice/event-store';
import { problemReply } from '@practice/messaging';
import { isUpsert, planUpsert, planWrite } from '@practice/query';
import type { RestResponse } from '@practice/query';
import { asProblem, busy } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { inTransaction } from '../storage/transaction.js';
import { setZone } from '../storage/zone.js';
import { Deciders } from './deciders.js';
import { executeWrite } from './execute.js';
import { rememberAnswer, replayOf, selectAnswer } from './idempotency.js';
import { claimKey, InFlightDuplicates, stillRunning } from './in-flight-duplicates.js';
import type { AnyWritePlan } from './intents.js';
import { UnitsOfWork } from './unit-of-work.js';
import { Write } from './write.command.js';
import type { Origin } from './write.command.js';

/** Executes callers' writes: one transaction each, whatever the number of its records. */
@CommandHandler(Write)
export class WriteHandler implements ICommandHandler<Write> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly units: UnitsOfWork,
    private readonly deciders: Deciders,
    private readonly duplicates: InFlightDuplicates,
  ) {}

  async execute({ request, origin }: Write): Promise<RestResponse> {
    const { therapistId, semiJoinKeys } = origin;
    const context = { catalog, therapistId, semiJoinKeys };
    const plan = isUpsert(request) ? planUpsert(request, context) : planWrite(request, context);
    try {
      return await this.duplicates.run(origin, () => this.run(plan, origin));
    } catch (error) {
      const problem = asProblem(error, plan.resource);
      if (!(problem instanceof Rejection)) throw problem;
      if (problem.problem === busy) await this.checkDuplicate(origin);
      return this.refuse(problem, origin).catch((failure: unknown) => {
        throw asProblem(failure, plan.resource);
      });
    }
  }

  private run(plan: AnyWritePlan, origin: Origin): Promise<RestResponse> {
    const { therapistId, requestId, deadline } = origin;
    const work = { plan, origin, deciders: this.deciders };
    return this.units.run({
      therapistId,
      requestId,
      deadline,
      sessionSetup: sessionSetupOf(plan, origin),
      attempt: (transaction, known) => executeWrite(transaction, work, known),
    });
  }

  /** The write waited too long for the practice's lock: perhaps another process executes the same request. */
  private async checkDuplicate({ therapistId, repeatable }: Origin): Promise<void> {
    if (repeatable === undefined) return;
    const [row] = await this.database.reads.run(therapistId, claimKey(therapistId, repeatable.key));
    if (row?.[0] === 'f') reject(stillRunning);
  }

  /** Stores the refusal under the request's key, so that a repeated request gets it again. */
  private async refuse(rejection: Rejection, { therapistId, repeatable }: Origin): Promise<RestResponse> {
    const { problem } = rejection;
    if (repeatable === undefined || problem.status >= 500 || problem.code === 'PM005') throw rejection;
    const log = { service: this.database.service, therapistId };
    const replay = await inTransaction(this.database.writes, log, async (transaction) => {
      const [kept = []] = await transaction.begin([selectAnswer(log, repeatable)]);
      const first = replayOf(repeatable, kept);
      if (first !== null) return first;
      const answer = { ...repeatable, reply: problemReply(problem) };
      await transaction.end(rememberAnswer(log, answer), 'COMMIT');
      return null;
    });
    if (replay !== null) return replay;
    throw rejection;
  }
}

const sessionSetupOf = ({ timezone, therapistId }: AnyWritePlan, { repeatable }: Origin): Statement[] => [
  ...(timezone === null ? [] : [setZone(timezone)]),
  ...(repeatable === undefined ? [] : [claimKey(therapistId, repeatable.key)]),
];
