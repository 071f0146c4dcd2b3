// The dependent commands that update sums: a change of a record adds its difference to the records that store its totals.

import { amountOf, boundedAmount, unitsOf } from '@practice/core';
import { dependent, type DependentCommand, type Lookup, type LookupContext } from './decider.js';
import type { Resource } from './resource.js';
import type { Row } from './row.js';
import { lookupOf, recordOf, rowsOf } from './shared-columns.js';
import { signedSum } from './signed-sum.js';
import type { TotalRules } from './definition-parts.js';

/** The record before and after an event. */
export interface Difference {
  readonly before: Row | null;
  readonly after: Row | null;
}

const keeperOf = ({ columns }: Resource, { by }: TotalRules): string => String(columns[by]?.references);

/** The lookups that `totalsAfter` needs for the record after a command, or the record that it deletes. */
export const totalLookups = (definition: Resource, record: Row): Lookup[] =>
  (definition.totals ?? []).flatMap((rules) => {
    const keeper = lookupOf(keeperOf(definition, rules), record[rules.by]);
    const others = rules.gathers && lookupOf(definition.name, record[rules.by], rules.by);
    return [...keeper, ...(others ?? [])];
  });

/**
 * The commands that change the records with sums; none if no sum changes.
 * @throws {Rejection} 22003 for a sum that does not fit into a column
 */
export function totalsAfter(
  definition: Resource,
  change: Difference,
  context: LookupContext,
): DependentCommand[] {
  return (definition.totals ?? []).flatMap((rules) => {
    const keeper = { name: keeperOf(definition, rules) } as Resource;
    const id = (change.after ?? change.before)?.[rules.by];
    const known = recordOf(keeper.name, id, context);
    if (known === undefined) return [];
    const changes = {
      ...sumsAfter(rules, change, known),
      ...listsAfter(definition, rules, { change, context }),
    };
    const isSame = Object.entries(changes).every(([name, value]) => String(known[name]) === String(value));
    return isSame ? [] : [dependent(keeper, String(id), { kind: 'change', changes })];
  });
}

const sumsAfter = ({ adds }: TotalRules, { before, after }: Difference, known: Row): Row =>
  Object.fromEntries(
    Object.entries(adds).map(([name, added]) => {
      const more = signedSum([added], (column) => centsIn(after, column) - centsIn(before, column));
      return [name, boundedAmount(centsIn(known, name) + more)];
    }),
  );

const centsIn = (row: Row | null, column: string): bigint => unitsOf(String(row?.[column] ?? amountOf(0n)));

function listsAfter(
  definition: Resource,
  { by, gathers = {} }: TotalRules,
  { change: { before, after }, context }: { readonly change: Difference; readonly context: LookupContext },
): Row {
  const rows = (): readonly Row[] =>
    rowsOf(context, { resource: definition.name, column: by }, String((after ?? before)?.[by])).filter(
      ({ id }) => after !== null || id !== before?.['id'],
    );
  return Object.fromEntries(
    Object.entries(gathers).map(([name, column]) => {
      const values = new Set(rows().flatMap((row) => (row[column] as string | null) ?? []));
      return [name, values.size === 0 ? null : [...values].toSorted()] as never;
    }),
  );
}
