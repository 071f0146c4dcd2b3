import { Inject, Injectable } from '@nestjs/common';
import { resourcesOf } from '@practice/contracts';
import { problemFor, reject, Rejection } from '@practice/core';
import type { Identity } from '@practice/core';
import { actFor, asSystem, pipeline, run } from '@practice/log';
import type { Statement, TextRow } from '@practice/log';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { callResponse, SEARCH, voidResponse } from '@practice/query';
import type { Accessed, CallPlan, PreparedCall, RestResponse, Repeatable } from '@practice/query';
import { checkedArguments } from '@practice/resource';
import { AccessLog, accessedIn, resultOf } from '@practice/read';
import type { ShownRecords, Written } from '@practice/read';
import { asProblem, TenantDatabase, setZone } from '@practice/storage';
import { requireOpen } from '../engine/closed-practice.js';
import { answeredBefore, keepAnswer } from '../engine/idempotency.js';
import { InFlightDuplicates } from '../engine/in-flight-duplicates.js';
import { RecordTransactions } from '../engine/record-transactions.js';
import { Refusals } from '../engine/refusals.js';
import { Deciders } from '../engine/deciders.js';
import { UnitsOfWork } from '../engine/unit-of-work.js';
import type { FunctionCall, WritingCall } from './function-handler.js';
import { Functions } from './functions.js';
import type { CallHandler } from './functions.js';
import { groupedCall, withChange } from './grouped-call.js';
import type { GroupedCall } from './grouped-call.js';
import { keptAnswer } from './kept-answer.js';
import { checkPermission } from './permission.js';

/** A call as it arrives: the prepared part, which calls share, and the caller's own. */
export interface Called {
  readonly prepared: PreparedCall;
  /** As given: argument → JSON value or text. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly call: FunctionCall;
  readonly repeatable?: Repeatable;
  /** The rows of all parts of the function, to select from instead of carrying it out. */
  readonly parts?: readonly object[];
  /** The If-Match header, which only a function that decides about records can use. */
  readonly ifMatch?: string | undefined;
}

type Ask = (query: Statement) => Promise<TextRow[]>;

/** Carries out the service's functions: checks, handler, and then Postgres selects from the result as from a table. */
@Injectable()
export class FunctionCalls {
  constructor(
    private readonly functions: Functions,
    private readonly database: TenantDatabase,
    private readonly transactions: RecordTransactions,
    private readonly duplicates: InFlightDuplicates,
    private readonly refusals: Refusals,
    private readonly units: UnitsOfWork,
    private readonly deciders: Deciders,
    private readonly accesses: AccessLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws {Rejection} when the caller, the arguments or the function refuse it */
  async read({ prepared, given, call, parts }: Called): Promise<RestResponse> {
    const { handler, args } = this.admit(prepared, given, call.caller);
    const { therapistId, practiceRole: role } = call.caller;
    const { timezone } = prepared.plan;
    if ('decide' in handler) throw new Error(`${prepared.definition.name} does not read`);
    try {
      const result = parts ?? (await handler.call(args, { ...call, ...mostRows(prepared.plan) }));
      return await responseTo(prepared, result, (query) =>
        this.database.reads.run({ therapistId, role }, query, { timezone }),
      );
    } catch (error) {
      throw asProblem(error);
    }
  }

  /**
   * The rows of this service's part of a function that reads.
   * @throws {Rejection} as `read`
   */
  async part({ prepared, given, call }: Called): Promise<RestResponse> {
    const { handler, args } = this.admit(prepared, given, call.caller);
    if ('decide' in handler) throw new Error(`${prepared.definition.name} does not read`);
    try {
      const rows = await handler.call(args, call);
      return { status: 200, headers: {}, body: JSON.stringify(rows) };
    } catch (error) {
      throw asProblem(error);
    }
  }

  /**
   * One transaction under the practice's lock: the function, its result, and the answer under the request's key. A function that
   * decides about records takes part in a group of writes; one that works on private tables has the practice for itself.
   * @throws {Rejection} as `read`; then nothing is kept, except the refusal under the request's key
   */
  async write(called: Called): Promise<RestResponse> {
    const { given, prepared, call, repeatable, ifMatch } = called;
    const origin = originOf(call, repeatable);
    let concerned: ReadonlyMap<string, Accessed> = new Map();
    const concern = (shown: ShownRecords): void => void (concerned = accessedIn(shown));
    const asked = { prepared, call, ifMatch, repeatable, concern, named: namedIn(given) };
    try {
      const { args, handler } = this.admit(prepared, given, call.caller);
      // A duplicate may stop waiting for its own call, whose effects must follow its commit all the same.
      const reply = await this.duplicates.run(origin, async () => {
        const { reply: answer, effects } = await ('decide' in handler
          ? this.decide({ ...asked, args, handler })
          : this.commit(called, { args, handler }));
        for (const effect of effects) await this.carryOut(effect, call);
        return answer;
      });
      if ('decide' in handler) await this.recordAccess(reply, call);
      return reply;
    } catch (error) {
      const problem = asProblem(error);
      if (!(problem instanceof Rejection)) throw problem;
      const { status } = problem.problem;
      if ('decide' in this.functions.get(prepared.definition.name).handler)
        await this.recordAccess({ status, body: null, unrecorded: concerned }, call);
      return this.refusals.keep(problem, origin);
    }
  }

  /** A refusal may come before the records are known. */
  private recordAccess(response: Written, { caller, requestId }: FunctionCall): Promise<void> {
    const accessor = { by: { ...caller, requestId }, method: 'POST' };
    const resources = resourcesOf(this.database.service);
    return this.accesses.recordWrite(resources, accessor, { response, refused: () => SEARCH });
  }

  private admit({ definition }: PreparedCall, given: Called['given'], caller: Identity) {
    checkPermission(definition, caller);
    const { handler } = this.functions.get(definition.name);
    return { handler, args: checkedArguments(definition, given) };
  }

  private async decide(called: Omit<GroupedCall, 'deciders'>): Promise<Committing> {
    const { deciders } = this;
    return { reply: await this.units.run(groupedCall({ ...called, deciders })), effects: [] };
  }

  private async commit(
    { prepared, call, repeatable, ifMatch }: Called,
    { args, handler }: { readonly args: object; readonly handler: CallHandler },
  ): Promise<Committing> {
    if (ifMatch !== undefined) reject(noIfMatch);
    const { isDryRun, timezone } = prepared.plan;
    const { service } = this.database;
    const { therapistId } = call.caller;
    await handler.before?.(args, call);
    const effects: Effect[] = [];
    const reply = await this.transactions.run(
      { ...call, therapistId, by: call.caller },
      async (transaction) => {
        const { client } = transaction;
        // The transaction may begin again.
        effects.length = 0;
        const first = await answeredBefore(client, service, { therapistId, repeatable });
        if (first !== null) return first;
        if (prepared.definition.whenClosed !== 'allowed') requireOpen(transaction);
        const { adding, finish } = workOf(effects);
        const result = await handler.call(args, { ...call, transaction, ...adding });
        // The handler may have acted for another practice or user meanwhile.
        await pipeline(client, [
          actFor(asSystem(therapistId)),
          ...(timezone === null ? [] : [setZone(timezone)]),
        ]);
        const answer = withChange(
          await responseTo(prepared, result, (query) => run(client, query)),
          transaction.changeId,
        );
        if (!isDryRun && repeatable !== undefined)
          await keepAnswer(client, service, {
            ...{ therapistId, ...repeatable },
            reply: keptAnswer(prepared.definition, answer),
          });
        if (!isDryRun) await finish();
        return answer;
      },
      { isDryRun },
    );
    return { reply, effects: isDryRun ? [] : effects };
  }

  /** The function is committed: a failure here is no failure of the call. */
  private async carryOut(effect: Effect, { requestId }: FunctionCall): Promise<void> {
    try {
      await effect();
    } catch (err) {
      this.logger.error({ err, requestId }, 'work after a function failed');
    }
  }
}

type Effect = () => unknown;

/** Takes the work that a handler adds for before and after the commit. `finish` does the work before it. */
function workOf(effects: Effect[]) {
  const last: (() => Promise<void>)[] = [];
  const adding: Pick<WritingCall, 'beforeCommit' | 'afterCommit'> = {
    beforeCommit: (work) => void last.push(work),
    afterCommit: (work) => void effects.push(work),
  };
  const finish = async (): Promise<void> => {
    for (const work of last) await work();
  };
  return { adding, finish };
}

const noIfMatch = problemFor('PM006', {
  status: 400,
  message: 'If-Match needs one record, and this function is not about one',
});

interface Committing {
  readonly reply: RestResponse;
  readonly effects: readonly Effect[];
}

/** The rows that a response shows, if they are the first ones of the result. */
function mostRows({ where, order, isCounted, select, offset, limit }: CallPlan): Pick<FunctionCall, 'most'> {
  const isOfAll = where.length > 0 || order.length > 0 || isCounted || select.isGrouped;
  return isOfAll ? {} : { most: offset + limit };
}

const namedIn = (given: Called['given']): ReadonlySet<string> => new Set(Object.keys(given));

const originOf = ({ caller, ...call }: FunctionCall, repeatable: Repeatable | undefined) => ({
  ...caller,
  ...call,
  ...(repeatable === undefined ? {} : { repeatable }),
});

async function responseTo(prepared: PreparedCall, result: unknown, ask: Ask): Promise<RestResponse> {
  const { plan } = prepared;
  if (plan.isVoid) return voidResponse(plan);
  const rows = Array.isArray(result) ? (result as object[]) : [result as object];
  const [row = []] = await ask(prepared.queryFor(rows));
  return callResponse(plan, resultOf(plan, row));
}
