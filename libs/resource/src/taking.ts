// Amounts that records take from the rest of a keeper, which is a record that stores sums.

import { amountOf, reject, unitsOf } from '@practice/core';
import { beyondBalances } from './account-balances.js';
import { sets, type Command, type LookupContext } from './decider.js';
import type { Resource } from './resource.js';
import type { Row } from './row.js';
import { recordOf } from './shared-columns.js';
import { signedSum } from './signed-sum.js';

/** A command, the record before it, and the record after it. */
export interface Asked {
  readonly command: Command;
  readonly state: Row | null;
  readonly next: Row;
}

/**
 * The record after a command. If a new record omits the amount, it takes the whole rest; of several keepers and of balances, the
 * smallest rest. `totalLookups` and `balanceLookups` have looked them up.
 * @throws {Rejection} PM022 for an amount that is larger than the rest, or not positive
 */
export function withTaken(
  definition: Resource,
  { command, state, next }: Asked,
  context: LookupContext,
): Row {
  const lefts = (definition.totals ?? []).flatMap(({ by, takes }) => {
    const resource = String(definition.columns[by]?.references);
    if (takes === undefined || !sets(command, [takes.column])) return [];
    const keeper = recordOf(resource, next[by], context);
    if (keeper === undefined) return [];
    const left = signedSum(takes.from, (name) => unitsOf(String(keeper[name])));
    return [{ column: takes.column, resource, left }];
  });
  const [first, ...others] = lefts;
  if (first === undefined) return next;
  const { column } = first;
  const least = others.reduce((all, { left }) => (left < all ? left : all), first.left);
  const before = unitsOf(String(state?.[column] ?? amountOf(0n)));
  const rest = (): bigint =>
    least - beyondBalances(definition, { ...next, [column]: amountOf(least) }, context);
  const after = String(next[column] ?? amountOf(state === null ? rest() : before));
  if (unitsOf(after) - before > least || unitsOf(after) <= 0n)
    reject('PM022', {
      details: lefts.map(({ resource, left }) => `${resource}: ${amountOf(left)} is left.`).join(' '),
    });
  return { ...next, [column]: after };
}
