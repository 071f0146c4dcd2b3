// The records that a sentence names, for the lookups of a rule.

import { resolved, type Lookup, type LookupContext, type Named, type Row } from '@practice/resource';
import type { RowOf } from '@practice/resource';

/** Records by the name of their resource. */
export type Rows = ReadonlyMap<string, readonly object[]>;

export const withMore = (rows: Rows, { name }: Named, more: readonly object[]): Rows =>
  new Map([...rows, [name, [...(rows.get(name) ?? []), ...more]]]);

/** The records that these lookups find. Throws when a rule reads other records, which is a defect of the rule. */
export function lookedUp(rows: Rows, lookups: readonly Lookup[]): LookupContext['rows'] {
  const find = (resource: string, column: string, value: string): readonly Row[] =>
    (rows.get(resource) ?? []).map((row) => row as Row).filter((row) => row[column] === value);
  const asked = lookups.map((lookup) => resolved(lookup, { rows: find }));
  return <D extends Named>({ name }: D, column: string, value: string) => {
    const isAsked = asked.some(
      (lookup) => lookup.resource === name && lookup.column === column && lookup.values.includes(value),
    );
    if (!isAsked) throw new Error(`${name}.${column} = ${value} was not looked up`);
    return find(name, column, value) as RowOf<D>[];
  };
}
