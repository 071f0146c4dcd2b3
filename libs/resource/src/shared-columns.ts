// Columns that a record shares with a record that it refers to. For example, the items of an invoice have the client of the invoice.

import { problemFor, reject } from '@practice/core';
import { sets, type Command, type Lookup, type LookupContext } from './decider.js';
import type { Resource } from './resource.js';
import type { Value } from './kind.js';
import { entries, type Row } from './row.js';

interface Reference {
  readonly column: string;
  readonly resource: string;
  readonly shares: readonly string[];
}

/** The part of the rules of a resource that follows from `shares`. */
export function sharingOf({ columns }: Resource) {
  const references = entries(columns).flatMap(([column, { references: resource, shares }]): Reference[] =>
    resource === undefined || shares === undefined ? [] : [{ column, resource, shares }],
  );
  /** The references that a command sets, or whose shared columns it sets. */
  const setBy = (command: Command): Reference[] =>
    references.filter(({ column, shares }) => sets(command, [column, ...shares]));
  return {
    /** The lookups that `filled` needs for the record after a command. */
    lookups: (command: Command, next: Row): Lookup[] =>
      setBy(command).flatMap(({ column, resource }) => lookupOf(resource, next[column])),
    /**
     * The record after a command. A new record takes absent values from the records that it refers to. Null in these agrees with any
     * value.
     * @throws {Rejection} 23503 if a record that it refers to has another value
     */
    filled(command: Command, next: Row, context: LookupContext): Row {
      const record: Record<string, Value> = { ...next };
      for (const reference of setBy(command)) {
        const theirs = sharedBy(reference, next, context);
        if (command.kind === 'create') for (const [name, value] of theirs) record[name] ??= value;
        const differing = theirs.find(([name, value]) => record[name] !== null && record[name] !== value);
        if (differing !== undefined) reject(differs({ ...reference, name: differing[0], record }));
      }
      return record;
    },
  };
}

/** The shared values of the record that a column refers to. References are checked before the rules, so the record exists. */
function sharedBy({ column, resource, shares }: Reference, { [column]: id }: Row, context: LookupContext) {
  const other = recordOf(resource, id, context);
  return shares.flatMap((name): [string, Value][] => {
    const value = other?.[name] ?? null;
    return value === null ? [] : [[name, value]];
  });
}

/** The lookup of the record that a column refers to, or of the records with this value in another column than the id. */
export const lookupOf = (resource: string, value: Value | undefined, column = 'id'): Lookup[] =>
  typeof value === 'string' ? [{ resource, column, values: [value] }] : [];

/** The record with an id; undefined for null, or if the record does not exist. The id must have been looked up. */
export function recordOf(resource: string, id: Value | undefined, context: LookupContext): Row | undefined {
  if (typeof id !== 'string') return undefined;
  return rowsOf(context, { resource, column: 'id' }, id)[0];
}

/** The rows of a lookup, for rules that every definition has. */
export const rowsOf = (
  context: LookupContext,
  { resource, column }: Pick<Lookup, 'resource' | 'column'>,
  value: string,
): readonly Row[] => context.rows({ name: resource } as Resource, column as 'id', value) as readonly Row[];

interface Difference extends Reference {
  readonly name: string;
  readonly record: Row;
}

const differs = ({ column, resource, name, record }: Difference) =>
  problemFor('23503', {
    message: `${column} and ${name} do not belong together: the record of ${resource} has another ${name}`,
    details: `Key (${column}, ${name})=(${String(record[column])}, ${String(record[name])}) is not present in table "${resource}".`,
    hint: `The record that ${column} names has another ${name}.`,
  });
