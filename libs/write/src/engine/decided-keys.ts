// Unique keys that are decided: the records that have a value are looked up under the lock of the practice, so a refusal names the
// record of the request. The constraint of the table is the second line of defence.

import { reject } from '@practice/core';
import type { Command, Lookup, LookupContext, Resource, Row } from '@practice/resource';

/** The columns of decided keys, with the values that a command gives them. */
function givenKeys(
  { uniques = [] }: Resource,
  command: Command,
): (readonly [column: string, value: string])[] {
  const values: Row =
    command.kind === 'create' ? command.record : command.kind === 'change' ? command.changes : {};
  return uniques.flatMap(({ isDecided, columns: [column = ''] }) =>
    isDecided !== true || values[column] == null ? [] : [[column, String(values[column])] as const],
  );
}

/** The lookups of records that may have the same values. */
export const keyLookups = (resource: Resource, command: Command): Lookup[] =>
  givenKeys(resource, command).map(([column, value]) => ({
    resource: resource.name,
    column,
    values: [value],
  }));

/** @throws {Rejection} 23505 when another record has the value that a command gives a record */
export function checkKeys(
  resource: Resource,
  { id, command }: { readonly id: string; readonly command: Command },
  context: LookupContext,
): void {
  for (const [column, value] of givenKeys(resource, command)) {
    const other = context.rows(resource, column as never, value).find((row) => row.id !== id);
    if (other !== undefined) reject(taken(resource, { column, value, by: String(other.id) }));
  }
}

const taken = (
  { name, uniques = [] }: Resource,
  { column, value, by }: { readonly column: string; readonly value: string; readonly by: string },
) => ({
  status: 409,
  code: '23505',
  message: `duplicate key value violates unique constraint "${uniques.find(({ columns }) => columns[0] === column)?.name}"`,
  details: `Key (${column})=(${value}) already exists: ${name} ${by} has it.`,
  hint: `POST with on_conflict=${column} and Prefer: resolution=merge-duplicates changes the record that has it.`,
});
