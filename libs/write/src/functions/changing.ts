// Functions that change the one record which they are about, in a way in which callers cannot change it themselves.

import type { Type } from '@nestjs/common';
import { problemFor, reject, type Identity } from '@practice/core';
import { run } from '@practice/log';
import type {
  ArgumentsOf,
  Changes,
  Decider,
  FunctionDefinition,
  Resource,
  ResultOf,
  RowOf,
} from '@practice/resource';
import { readRows, selectRows } from '@practice/storage';
import { checkVersion } from '../engine/precondition.js';
import type { RecordTransaction } from '../engine/record-transaction.js';
import { Handles, type FunctionHandler, type WritingCall } from './function-handler.js';

/** The record that a call names, and its version as the caller has seen it; null for any. */
export interface NamedRecord {
  readonly therapistId: string;
  readonly id: string;
  readonly version: number | null;
}

/**
 * The record that a function is about, read in its transaction.
 * @throws {Rejection} PM404 for an unknown one, PM006 for another version than the caller has seen
 */
export async function namedRecord<D extends Resource>(
  definition: D,
  { client }: Pick<RecordTransaction, 'client'>,
  { therapistId, id, version: seen }: NamedRecord,
): Promise<RowOf<D>> {
  const byId = { column: 'id', values: [id] };
  const [found] = readRows(definition, await run(client, selectRows(definition, therapistId, byId)));
  const { row, version } = found ?? reject(unknownRecord(definition, id));
  if (seen !== null) checkVersion(version, `"${seen}"`);
  return row as unknown as RowOf<D>;
}

/** There is no record with this id. */
export const unknownRecord = ({ name }: Pick<Resource, 'name'>, id: string) =>
  problemFor('PM404', { message: `there is no record ${id} in ${name}` });

/** The values that a function sets. */
type ValuesOf<F, D> = (
  args: ArgumentsOf<F>,
  by: { readonly caller: Identity; readonly now: string },
) => Changes<D>;

/**
 * The handler of a function whose first argument names a record, and `version` the one that the caller has seen. The decider
 * refuses a change that is not allowed. The result has the id of the record and the values.
 */
export function changing<F extends FunctionDefinition, D extends Resource>(
  definition: F,
  decider: Decider<D>,
  values: ValuesOf<F, D>,
): Type<FunctionHandler<F>> {
  const [argument = ''] = Object.keys(definition.arguments);
  class Changing {
    async call(args: ArgumentsOf<F>, { caller, transaction }: WritingCall): Promise<ResultOf<F>> {
      const { [argument]: id, version = null } = args as Readonly<Record<string, unknown>>;
      const named = { therapistId: caller.therapistId, id: String(id), version: version as number | null };
      await namedRecord(decider.definition, transaction, named);
      const changes = values(args, { caller, now: transaction.now });
      await transaction.changeBy(decider as unknown as Decider, named.id, changes as never);
      return { id: named.id, ...changes } as unknown as ResultOf<F>;
    }
  }
  const handler = Changing as unknown as Type<FunctionHandler<F>>;
  Handles(definition)(handler);
  return handler;
}
