import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { busy, reject, Rejection } from '@practice/core';
import { asSystem } from '@practice/log';
import { compileConcerned, planWrite } from '@practice/query';
import type { Accessed, RestResponse, WritePlan } from '@practice/query';
import { NONE, AccessLog, type Written } from '@practice/read';
import { asProblem, TenantDatabase, setZone } from '@practice/storage';
import { batchingOf, sizeOf } from './company.js';
import { Deciders } from './deciders.js';
import { Effects, EffectsOfWrite } from './effects.js';
import { executeWrite, type Work } from './execute.js';
import { claimKeys, InFlightDuplicates, stillRunning } from './in-flight-duplicates.js';
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
    try {
      const { method } = request;
      const response = await this.duplicates.run(origin, () => this.run(plan, { origin, method }));
      await this.recordAccess(plan, { origin, method }, response);
      return response;
    } catch (error) {
      const problem = asProblem(error, plan.resource);
      if (!(problem instanceof Rejection)) throw problem;
      if (problem.problem === busy) await this.checkDuplicate(origin);
      await this.recordAccess(plan, { origin, method: request.method }, { ...problem.problem, body: null });
      return this.refusals.keep(problem, origin);
    }
  }

  private recordAccess(
    plan: WritePlan,
    { origin: by, method }: Pick<Work, 'origin' | 'method'>,
    response: Written,
  ): Promise<void> {
    const refused = (): Promise<Accessed> | Accessed => {
      const query = compileConcerned(plan);
      return query === undefined ? NONE : this.accesses.concerned(by, query);
    };
    return this.accesses.recordWrite([plan.resource], { by, method }, { response, refused });
  }

  private async run(
    plan: WritePlan,
    { origin, method }: Pick<Work, 'origin' | 'method'>,
  ): Promise<RestResponse> {
    const { repeatable } = origin;
    const { timezone } = plan;
    const found = this.effects.of(plan.resource, origin);
    // Writes of most resources have no effects, and wait for nothing.
    const effects = found instanceof EffectsOfWrite ? found : await found;
    const work = { plan, origin, method, deciders: this.deciders, effects };
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
      ...(timezone === null ? {} : { setup: [setZone(timezone)] }),
      repeatable,
      replayed: (reply) => reply,
      requiresOpen: true,
      begin: (known, now) => executeWrite(work, known, now),
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
