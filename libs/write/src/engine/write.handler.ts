import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { busy, reject, Rejection } from '@practice/core';
import { asSystem } from '@practice/log';
import { planWrite, type RestResponse } from '@practice/query';
import { AccessLog } from '@practice/read';
import { asProblem, TenantDatabase, setZone } from '@practice/storage';
import { batchingOf, sizeOf } from './company.js';
import { Deciders } from './deciders.js';
import { Effects } from './effects.js';
import { executeWrite, type Work } from './execute.js';
import { claimKeys, InFlightDuplicates, stillRunning } from './in-flight-duplicates.js';
import { recordAccess } from './record-access.js';
import { Refusals } from './refusals.js';
import { UnitsOfWork } from './unit-of-work.js';
import { Write, type Origin } from './write.command.js';

/** Executes callers' writes: each is stored as a whole or not at all, whatever the number of its records. */
@CommandHandler(Write)
export class WriteHandler implements ICommandHandler<Write> {
  constructor(
    private readonly database: TenantDatabase,
    private readonly units: UnitsOfWork,
    private readonly deciders: Deciders,
    private readonly duplicates: InFlightDuplicates,
    private readonly refusals: Refusals,
    private readonly effects: Effects,
    private readonly accesses: AccessLog,
  ) {}

  async execute({ request, origin }: Write): Promise<RestResponse> {
    const { therapistId, userId, practiceRole, semiJoinKeys } = origin;
    const context = { catalog, therapistId, userId, practiceRole, semiJoinKeys };
    const plan = planWrite(request, context);
    const asked = { plan, origin, method: request.method };
    try {
      const response = await this.duplicates.run(origin, () => this.run(asked));
      await recordAccess(this.accesses, asked, response);
      return response;
    } catch (error) {
      const problem = asProblem(error, plan.resource);
      if (!(problem instanceof Rejection)) throw problem;
      if (problem.problem === busy) await this.checkDuplicate(origin);
      await recordAccess(this.accesses, asked, { ...problem.problem, body: null });
      return this.refusals.keep(problem, origin);
    }
  }

  private async run(asked: Pick<Work, 'plan' | 'origin' | 'method'>): Promise<RestResponse> {
    const { plan, origin } = asked;
    const { repeatable } = origin;
    const { timezone } = plan;
    const effects = await this.effects.of(plan.resource, origin);
    const work = { deciders: this.deciders, effects, ...asked };
    const response = await this.units.run({
      therapistId: origin.therapistId,
      writer: origin.practiceRole,
      requestId: origin.requestId,
      deadline: origin.deadline,
      gone: origin.gone,
      // The statements of side effects run before the response is stored, so the write shares no transaction.
      batching: effects.existFor(plan.resource)
        ? 'none'
        : batchingOf(plan, this.deciders, repeatable !== undefined),
      size: sizeOf(plan),
      repeatable,
      requiresOpen: true,
      begin: (known, now) => executeWrite(work, known, now),
      ...(timezone === null ? {} : { setup: [setZone(timezone)] }),
    });
    if (!plan.isDryRun) await effects.committed();
    return response;
  }

  /** The write waited too long for the practice's lock: perhaps another process executes the same request. */
  private async checkDuplicate({ therapistId, repeatable }: Origin): Promise<void> {
    if (repeatable === undefined) return;
    const claim = claimKeys([{ therapistId, key: repeatable.key }]);
    const [row] = await this.database.reads.run(asSystem(therapistId), claim);
    if (row?.[0] === 'f') reject(stillRunning);
  }
}
