import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { CallPlan, RestResponse } from '@practice/query';
import { checkedArguments, type Row } from '@practice/resource';
import { asProblem, TenantDatabase } from '@practice/storage';
import { ReadFunction, ReadFunctionPart, type Called } from './call-function.command.js';
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
  async execute({ called }: ReadFunction): Promise<RestResponse> {
    const { prepared, call, parts } = called;
    const { therapistId, practiceRole: role } = call.caller;
    const { timezone } = prepared.plan;
    const rows = resultOf(this.functions, called, mostRows(prepared.plan));
    try {
      const result = parts === undefined ? await rows() : combinedOf(called, parts);
      const { statements, reply } = responseOf(prepared, result);
      const results = statements.map((query) =>
        this.database.reads.run({ therapistId, role }, query, { timezone }),
      );
      return reply(await Promise.all(results));
    } catch (error) {
      throw asProblem(error);
    }
  }
}

/** Carries out the service's part of a function of several services. */
@QueryHandler(ReadFunctionPart)
export class ReadFunctionPartHandler implements IQueryHandler<ReadFunctionPart> {
  constructor(private readonly functions: Functions) {}

  /**
   * The rows, as JSON.
   * @throws {Rejection} when the caller, the arguments or the function refuse it
   */
  async execute({ called }: ReadFunctionPart): Promise<RestResponse> {
    const rows = resultOf(this.functions, called);
    try {
      return { status: 200, headers: {}, body: JSON.stringify(await rows()) };
    } catch (error) {
      throw asProblem(error);
    }
  }
}

/** @throws {Rejection} when the caller may not call it, or for arguments that it does not take */
function resultOf(
  functions: Functions,
  { prepared: { definition }, given, call }: Called,
  most: Pick<FunctionCall, 'most'> = {},
): () => Promise<object> {
  const { handler, args } = functions.admit(definition, given, call);
  if ('decide' in handler) throw new Error(`${definition.name} does not read`);
  return async () => (await handler.call(args, { ...call, ...most })) as object;
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
