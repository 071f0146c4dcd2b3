import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { reject, Rejection } from '@practice/core';
import { problemReply } from '@practice/messaging';
import { isUpsert, planUpsert, planWrite } from '@practice/query';
import type { RestResponse } from '@practice/query';
import { asProblem, busy } from '../storage/database-errors.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { setZone } from '../storage/zone.js';
import { companyOf, weightOf } from './company.js';
import { Deciders } from './deciders.js';
import { executeWrite } from './execute.js';
import { MISSING } from './group/attempt.js';
import type { Attempt } from './group/attempt.js';
import { answerIn } from './group/questions.js';
import { replayOf } from './idempotency.js';
import type { Repeatable } from './idempotency.js';
import { claimKeys, InFlightDuplicates, stillRunning } from './in-flight-duplicates.js';
import type { AnyWritePlan } from './intents.js';
import { UnitsOfWork } from './unit-of-work.js';
import type { Outcome } from './unit-of-work.js';
import { Write } from './write.command.js';
import type { Origin } from './write.command.js';

/** Executes callers' writes: each is stored as a whole or not at all, whatever the number of its records. */
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
    const { repeatable } = origin;
    const { timezone } = plan;
    const work = { plan, origin, deciders: this.deciders };
    return this.units.run({
      ...placeOf(origin),
      company: companyOf(plan, this.deciders, repeatable !== undefined),
      weight: weightOf(plan),
      ...(timezone === null ? {} : { setup: [setZone(timezone)] }),
      claims: repeatable?.key,
      begin: (known, now) => executeWrite(work, known, now),
    });
  }

  /** The write waited too long for the practice's lock: perhaps another process executes the same request. */
  private async checkDuplicate({ therapistId, repeatable }: Origin): Promise<void> {
    if (repeatable === undefined) return;
    const claim = claimKeys([{ therapistId, key: repeatable.key }]);
    const [row] = await this.database.reads.run(therapistId, claim);
    if (row?.[0] === 'f') reject(stillRunning);
  }

  /** Stores the refusal under the request's key, so that a repeated request gets it again. */
  private async refuse(rejection: Rejection, origin: Origin): Promise<RestResponse> {
    const { problem } = rejection;
    const { repeatable } = origin;
    if (repeatable === undefined || problem.status >= 500 || problem.code === 'PM005') throw rejection;
    const first = await this.units.run({
      ...placeOf(origin),
      company: 'any',
      weight: 1,
      begin: () => keepRefusal(repeatable, problemReply(problem)),
    });
    if (first !== null) return first;
    throw rejection;
  }
}

const placeOf = ({ therapistId, requestId, deadline }: Origin) => ({ therapistId, requestId, deadline });

/** Keeps a refusal unless the request was answered before; its value is that answer, or null. */
const keepRefusal = (repeatable: Repeatable, reply: RestResponse): Attempt<Outcome<RestResponse | null>> => ({
  decide: (view) => {
    const kept = answerIn(view, repeatable);
    if (kept === undefined) return MISSING;
    const first = replayOf(repeatable, kept);
    if (first !== null) return { kind: 'settled', value: { kind: 'done', value: first } };
    return {
      kind: 'stored',
      how: 'COMMIT',
      finish: () => ({ kind: 'done', value: null }),
      answerOf: () => ({ ...repeatable, reply }),
    };
  },
});
