// The state that a record must have so that other records may refer to it.

import { reject } from '@practice/core';
import type { Column } from './column.js';
import { isDerived, type Command, type Lookup, type LookupContext } from './decider.js';
import type { Resource } from './resource.js';
import { entries, type Row } from './row.js';
import { lookupOf, recordOf } from './shared-columns.js';
import { matches, type Needs } from './where.js';

function needing(definition: Resource, command: Command): (readonly [string, Column, Needs])[] {
  if (isDerived(definition, command)) return [];
  return entries(definition.columns).flatMap(([name, column]) => {
    const { needs } = column;
    const applies = needs !== undefined && (command.kind !== 'delete' || needs.always === true);
    return applies ? [[name, column, needs] as const] : [];
  });
}

/** The lookups that `checkNeeds` needs. @param record the record after the command, or the record that it deletes */
export const neededLookups = (definition: Resource, command: Command, record: Row): Lookup[] =>
  needing(definition, command).flatMap(([name, { references }]) =>
    lookupOf(String(references), record[name]),
  );

/** @throws {Rejection} the problem of a record that does not have the needed state */
export function checkNeeds(
  definition: Resource,
  { command, record }: { readonly command: Command; readonly record: Row },
  context: LookupContext,
): void {
  for (const [name, { references = '' }, { where, problem }] of needing(definition, command)) {
    const id = String(record[name]);
    const other = recordOf(references, id, context);
    if (other === undefined || matches(where, other)) continue;
    const values = Object.keys(where).map((column) => `${column} ${String(other[column])}`);
    reject({ ...problem, details: `${references} ${id} has ${values.join(', ')}.` });
  }
}
