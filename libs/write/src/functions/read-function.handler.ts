import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { CallPlan, RestResponse } from '@practice/query';
import { checkedArguments, type Row } from '@practice/resource';
import { asProblem, TenantDatabase } from '@practice/storage';
import { ReadFunction, type Called } from './call-function.command.js';
import type { FunctionCall } from './function-handler.js';
import { responseOf } from './function-response.js';
import { Functions } from './functions.js';

/** Carries out a function that reads, and selects from its result as from a table. */
@QueryHandler(ReadFunction)
export class ReadFunctionHandler implements IQueryHandler<ReadFunction> {
  constructor(
    private readonly functions: Functions,
    private readonly database: TenantDatabase,
  ) {}

  /** @throws {Rejection} when the caller, the arguments or the function refuse it */
  async execute({ called, isPart }: ReadFunction): Promise<RestResponse> {
    const { prepared, given, call, parts } = called;
    const { definition, plan } = prepared;
    const { therapistId, practiceRole: role } = call.caller;
    const { handler, args } = this.functions.admit(definition, given, call);
    if ('decide' in handler) throw new Error(`${definition.name} does not read`);
    const most = isPart ? {} : mostRows(plan);
    try {
      const result =
        parts === undefined ? await handler.call(args, { ...call, ...most }) : combinedOf(called, parts);
      if (isPart) return { status: 200, headers: {}, body: JSON.stringify(result) };
      const { statements, reply } = responseOf(prepared, result);
      const results = statements.map((query) =>
        this.database.reads.run({ therapistId, role }, query, { timezone: plan.timezone }),
      );
      return reply(await Promise.all(results));
    } catch (error) {
      throw asProblem(error);
    }
  }
}

/** The result of a function of several services. */
function combinedOf({ prepared: { definition }, given }: Called, parts: readonly object[]): object {
  const { service } = definition;
  if (typeof service === 'string' || service.combined === undefined) return parts;
  return service.combined(parts as readonly Row[], checkedArguments(definition, given));
}

/** The rows that a response shows, if they are the first ones of the result. */
function mostRows({ where, order, isCounted, select, offset, limit }: CallPlan): Pick<FunctionCall, 'most'> {
  const isOfAll = where.length > 0 || order.length > 0 || isCounted || select.isGrouped;
  return isOfAll ? {} : { most: offset + limit };
}
