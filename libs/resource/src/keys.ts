// Unique keys that are checked before the decision. The records with a value are looked up under the lock of the practice, so that a
// refusal can name the record of the request. The constraint of the table is the second line of defence.

import { problemFor, reject } from '@practice/core';
import type { Command, Lookup, LookupContext } from './decider.js';
import { matches } from './where.js';
import type { Resource, Unique } from './resource.js';
import type { Row } from './row.js';
import { rowsOf } from './shared-columns.js';

interface Key {
  readonly unique: Unique;
  readonly column: string;
  readonly value: string;
}

/** A command, and the record before it. */
interface Asked {
  readonly command: Command;
  readonly state: Row | null;
}

/** The decided keys whose values a command sets in a record. */
function givenKeys({ uniques = [] }: Resource, { command, state }: Asked): Key[] {
  const given: Row =
    command.kind === 'create' ? command.record : command.kind === 'change' ? command.changes : {};
  return uniques.flatMap((unique) => {
    const { isDecided = false, where = {} } = unique;
    const [column = ''] = unique.columns;
    const isGiven = [column, ...Object.keys(where)].some((name) => name in given);
    const value = column in given ? given[column] : state?.[column];
    const counts = isDecided && isGiven && value != null && matches(where, { ...state, ...given });
    return counts ? [{ unique, column, value: String(value) }] : [];
  });
}

/** The lookups of records that may have the same values. */
export const keyLookups = (resource: Resource, asked: Asked): Lookup[] =>
  givenKeys(resource, asked).map(({ column, value }) => ({
    resource: resource.name,
    column,
    values: [value],
  }));

/** @throws {Rejection} the problem of a key, or 23505, if another record has the value that a command sets */
export function checkKeys(resource: Resource, asked: Asked, context: LookupContext): void {
  const { id } = asked.command.kind === 'create' ? asked.command.record : (asked.state ?? {});
  for (const key of givenKeys(resource, asked)) {
    const rows = rowsOf(context, { resource: resource.name, column: key.column }, key.value);
    const other = rows.find((row) => row['id'] !== id && matches(key.unique.where ?? {}, row));
    if (other !== undefined) reject(taken(resource, key, other));
  }
}

const taken = ({ name }: Resource, { unique, column, value }: Key, { id }: Row) => ({
  ...problemFor('23505', {
    message: `duplicate key value violates unique constraint "${unique.name}"`,
    details: `Key (${column})=(${value}) already exists: ${name} ${String(id)} has it.`,
    hint: `POST with on_conflict=${column} and Prefer: resolution=merge-duplicates changes the record that has it.`,
  }),
  ...(unique.problem && { hint: null, ...unique.problem }),
});
