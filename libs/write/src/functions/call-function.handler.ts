import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { resourcesOf } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { actFor, asSystem } from '@practice/log';
import { LOGGER, type Logger } from '@practice/process';
import { SEARCH, type Accessed, type RestResponse } from '@practice/query';
import { AccessLog, accessedIn, type ShownRecords, type Written } from '@practice/read';
import type { FunctionDefinition } from '@practice/resource';
import { asProblem, TenantDatabase, setZone } from '@practice/storage';
import { Deciders } from '../engine/deciders.js';
import { keptUnder } from '../engine/idempotency.js';
import { InFlightDuplicates } from '../engine/in-flight-duplicates.js';
import { ChangeRecords, type RecordEnd } from '../engine/change-records.command.js';
import type { RecordTransaction } from '../engine/record-transaction.js';
import { refuseIfMatch } from '../engine/precondition.js';
import { Refusals } from '../engine/refusals.js';
import { UnitsOfWork } from '../engine/unit-of-work.js';
import { CallFunction, type Called } from './call-function.command.js';
import { callUnit } from './call-unit.js';
import type { FunctionCall, WritingCall } from './function-handler.js';
import { responseOf, storableResponse, withChange } from './function-response.js';
import { RecentSignIns, type Proof } from './recent-sign-ins.js';
import { Functions, type CallHandler } from './functions.js';

/**
 * Carries out the service's functions that write: one transaction under the practice's lock, with the result and the idempotency record. A
 * function that decides about records takes part in a group of writes. A function that works on private tables is not batched.
 */
@CommandHandler(CallFunction)
export class CallFunctionHandler implements ICommandHandler<CallFunction> {
  constructor(
    private readonly functions: Functions,
    private readonly database: TenantDatabase,
    private readonly commands: CommandBus,
    private readonly duplicates: InFlightDuplicates,
    private readonly refusals: Refusals,
    private readonly units: UnitsOfWork,
    private readonly deciders: Deciders,
    private readonly accesses: AccessLog,
    private readonly signIns: RecentSignIns,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @throws {Rejection} when the caller, the arguments or the function refuse it; then nothing is stored, except the refusal under
   *   the request's key
   */
  async execute({ called }: CallFunction): Promise<RestResponse> {
    const { given, prepared, call, repeatable } = called;
    const { handler } = this.functions.get(prepared.definition.name);
    const isDeciding = 'decide' in handler;
    const origin = { ...call.caller, ...call, repeatable };
    let shown: ReadonlyMap<string, Accessed> = new Map();
    try {
      const { args } = this.functions.admit(prepared.definition, given, call);
      // A duplicate may stop waiting for its own call, whose side effects must follow its commit all the same.
      const reply = await this.duplicates.run(origin, async () => {
        await this.proven(prepared.definition, args, call);
        if (!isDeciding) return this.commit(called, { args, handler });
        const onShown = (records: ShownRecords): void => void (shown = accessedIn(records));
        const { deciders } = this;
        return this.units.run(callUnit({ ...called, handler, args, deciders, onShown }));
      });
      if (isDeciding) await this.recordAccess(reply, call);
      return reply;
    } catch (error) {
      const problem = asProblem(error);
      if (!(problem instanceof Rejection)) throw problem;
      const { status } = problem.problem;
      if (isDeciding) await this.recordAccess({ status, body: null, unrecorded: shown }, call);
      return this.refusals.keep(problem, origin);
    }
  }

  /** A refusal may come before the records are known. */
  private recordAccess(response: Written, { caller, requestId }: FunctionCall): Promise<void> {
    const accessor = { by: { ...caller, requestId }, method: 'POST' };
    const resources = resourcesOf(this.database.service);
    return this.accesses.recordWrite(resources, accessor, { response, refused: () => SEARCH });
  }

  private async commit(
    called: Called,
    { args, handler }: { readonly args: object; readonly handler: CallHandler },
  ): Promise<RestResponse> {
    const { prepared, call, repeatable, ifMatch } = called;
    refuseIfMatch(ifMatch);
    const { definition, plan } = prepared;
    const { therapistId } = call.caller;
    await handler.before?.(args, call);
    const otherPractices = await handler.otherPractices?.(args, call);
    const { adding, beforeCommit, afterCommit } = addedWork();
    const work = {
      origin: { ...call, therapistId, otherPractices, by: call.caller },
      isDryRun: plan.isDryRun,
      work: async (transaction: RecordTransaction) => handler.call(args, { ...call, transaction, ...adding }),
      end: (result: unknown, { changeId }: RecordTransaction) => ({
        ...endOf(called, result, changeId),
        beforeCommit,
      }),
    };
    const write = { gone: call.gone, repeatable, requiresOpen: definition.whenClosed !== 'allowed' };
    const reply = await this.commands.execute(new ChangeRecords<unknown, RestResponse>(work, write));
    if (!plan.isDryRun) for (const later of afterCommit) await this.carryOut(later, call);
    return reply;
  }

  /** @throws {Rejection} 403 `reauthentication_needed` without the proof that the function needs */
  private async proven({ needsProof }: FunctionDefinition, proof: object, call: FunctionCall): Promise<void> {
    const { caller } = call;
    if (needsProof === undefined || (needsProof === 'unless aal2' && caller.aal === 'aal2')) return;
    await this.signIns.require(caller, proof as Proof, call);
  }

  /** Runs work after the commit of a function. A failure of this work does not fail the call. */
  private async carryOut(work: () => unknown, { requestId }: FunctionCall): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.logger.error({ err, requestId }, 'work after a function failed');
    }
  }
}

/** The end of the transaction: Postgres makes the response from the result. */
function endOf(
  { prepared, call: { caller }, repeatable }: Called,
  result: unknown,
  changeId: string | undefined,
): RecordEnd<RestResponse> {
  const { timezone } = prepared.plan;
  const response = responseOf(prepared, result);
  // The handler may have acted for another practice or user meanwhile.
  const acting = [actFor(asSystem(caller.therapistId)), ...(timezone === null ? [] : [setZone(timezone)])];
  return {
    statements: [...acting, ...response.statements],
    finish: (results) => withChange(response.reply(results), changeId),
    ...keptUnder(repeatable, (reply: RestResponse) => storableResponse(prepared.definition, reply)),
  };
}

/** Collects the work that a handler adds before and after the commit. */
function addedWork() {
  const before: (() => Promise<void>)[] = [];
  const afterCommit: (() => unknown)[] = [];
  const adding: Pick<WritingCall, 'beforeCommit' | 'afterCommit'> = {
    beforeCommit: (work) => void before.push(work),
    afterCommit: (work) => void afterCommit.push(work),
  };
  const beforeCommit = async (): Promise<void> => {
    for (const work of before) await work();
  };
  return { adding, beforeCommit, afterCommit };
}
