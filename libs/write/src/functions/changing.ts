// Functions that change one named record, in a way in which callers cannot change it themselves.

import type { Type } from '@nestjs/common';
import { problemFor, reject, type Identity } from '@practice/core';
import { run } from '@practice/log';
import type {
  ArgumentsOf,
  Changes,
  Decider,
  FunctionDefinition,
  Resource,
  Row,
  RowOf,
} from '@practice/resource';
import { readRows, selectRows } from '@practice/storage';
import { decideWithDependents } from '../engine/dependents.js';
import { recordLoads, records } from '../engine/group/questions.js';
import type { Resumable } from '../engine/group/resumable.js';
import type { Intent } from '../engine/intent.js';
import { checkVersion } from '../engine/precondition.js';
import type { RecordTransaction } from '../engine/record-transaction.js';
import {
  Handles,
  type DecidingCall,
  type DecidingHandler,
  type FunctionDecision,
} from './function-handler.js';

/**
 * The record that a function is about, read in its transaction.
 * @param named.version as the caller has seen it; null for any
 * @throws {Rejection} PM404 for an unknown record, PM006 for another version than the caller has seen
 */
export async function namedRecord<D extends Resource>(
  definition: D,
  { client }: Pick<RecordTransaction, 'client'>,
  named: { readonly therapistId: string; readonly id: string; readonly version: number | null },
): Promise<RowOf<D>> {
  const { therapistId, id, version: seen } = named;
  const byId = { column: 'id', values: [id] };
  const [found] = readRows(definition, await run(client, selectRows(definition, therapistId, byId)));
  const { row, version } = found ?? reject(unknownRecord(definition, id));
  if (seen !== null) checkVersion(version, `"${seen}"`);
  return row;
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
 * The handler of a function whose first argument names a record, and `version` or If-Match the version that the caller has seen. The decider
 * refuses a change that is not allowed. The result has columns of the record as it is afterwards.
 */
export function changing<F extends FunctionDefinition, D extends Resource>(
  definition: F,
  decider: Decider<D>,
  values: ValuesOf<F, D>,
): Type<DecidingHandler<F>> {
  const [argument = ''] = Object.keys(definition.arguments);
  const resource: Resource = decider.definition;
  class Changing {
    *decide(args: ArgumentsOf<F>, call: DecidingCall): Resumable<FunctionDecision<Row>> {
      const { view, decision, caller, ifMatch } = call;
      const { [argument]: id = '', version = null } = args as Readonly<Record<string, string>>;
      const byId = { column: 'id', values: [id] };
      yield* view.load(recordLoads(view, resource, byId));
      yield* view.turn();
      const [found = reject(unknownRecord(resource, id))] = yield* records(view, resource, byId);
      checkVersion(found.version, ifMatch);
      if (version !== null) checkVersion(found.version, `"${version}"`);
      const changes = values(args, { caller, now: view.now }) as Row;
      const intent: Intent = {
        id,
        command: { kind: 'change', changes },
        state: found.row,
        version: found.version,
        decider: decider as unknown as Decider,
      };
      const asked = { resource, intents: [intent], by: caller };
      const unknown = yield* decision.lookUp(resource, [intent]);
      const entries = unknown.length > 0 ? unknown : yield* decideWithDependents(view, decision, asked);
      if (entries.length > 0) return { kind: 'unknown records', entries };
      const { state } = decision.decided.of(resource, intent);
      return { kind: 'decided', result: shownIn(definition, state ?? {}) };
    }
  }
  const handler = Changing as unknown as Type<DecidingHandler<F>>;
  Handles(definition)(handler);
  return handler;
}

const shownIn = ({ returns }: FunctionDefinition, record: Row): Row =>
  returns.kind === 'nothing'
    ? {}
    : Object.fromEntries(Object.keys(returns.columns).map((name) => [name, record[name] ?? null]));
