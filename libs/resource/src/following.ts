// Values of a record that follow from its other values, or from the records that it refers to, by the rules of its definition.

import { boundedAmount, dividedHalfEven, oncePer, unitsOf } from '@practice/core';
import type { Column } from './column.js';
import type { Command, Lookup, LookupContext } from './decider.js';
import type { Value } from './kind.js';
import type { Resource } from './resource.js';
import { entries, pickBy, type Row } from './row.js';
import { lookupOf, recordOf } from './shared-columns.js';
import { signedSum } from './signed-sum.js';
import type { Asked } from './taking.js';

/** Whether some values of a record follow from others. Every write needs to know, so the result is cached. */
export const hasFollowing = oncePer(new WeakMap<Pick<Resource, 'columns'>, boolean>(), ({ columns }) =>
  entries(columns).some(([, { copies, sumOf, productOf, percentOf }]) =>
    [copies, sumOf, productOf, percentOf].some((rule) => rule !== undefined),
  ),
);

type Copied = readonly [name: string, sources: readonly (readonly [reference: string, column: string])[]];

/** The columns whose values a command copies from the records that it refers to. */
function copiedBy({ columns }: Resource, command: Command, next: Row): Copied[] {
  if (command.kind === 'delete' || command.kind === 'act' || command.isUndo === true) return [];
  const given: Row = command.kind === 'create' ? command.record : command.changes;
  return entries(columns).flatMap(([name, column]): Copied[] => {
    const sources = (column.copies ?? []).map((source) => source.split('.') as [string, string]);
    const isNew = command.kind === 'create' && (next[name] === null || column.readOnly === true);
    const isChosen = column.readOnly === true && sources.some(([reference]) => reference in given);
    const isAsked = column.requiredUnless !== undefined && given[name] === null;
    return sources.length > 0 && (isNew || isChosen || isAsked) ? [[name, sources]] : [];
  });
}

/** The lookups that `followed` needs for the record after a command. */
export const followedLookups = (definition: Resource, command: Command, next: Row): Lookup[] =>
  (hasFollowing(definition) ? copiedBy(definition, command, next) : [])
    .flatMap(([, sources]) => sources)
    .flatMap(([reference]) => lookupOf(String(definition.columns[reference]?.references), next[reference]));

/**
 * The values that follow for the record after a command, if they differ from its values.
 * @param next the record with the values of the rules
 * @throws {Rejection} 22003 for an amount that does not fit into a column
 */
export function followed(definition: Resource, { command, state, next }: Asked, context: LookupContext): Row {
  const { columns } = definition;
  const row: Record<string, Value> = { ...next };
  for (const [name, sources] of copiedBy(definition, command, next)) {
    // A reference is checked before the rules, so its record exists.
    const found = sources.map(([reference, column]): Value => {
      const other = recordOf(String(columns[reference]?.references), row[reference], context);
      return other?.[column] ?? null;
    });
    const fallback = columns[name]?.default ?? state?.[name] ?? null;
    row[name] = found.find((value) => value !== null) ?? fallback;
  }
  for (const [name, column] of entries(columns)) row[name] = amountIn(column, row) ?? row[name] ?? null;
  return pickBy(row, (name, value) => value !== (next[name] ?? null));
}

/** The computed amount of a column, with two decimals; undefined if the column is not computed, or a value is missing. */
function amountIn({ sumOf, productOf, percentOf }: Column, row: Row): string | undefined {
  const names = sumOf ?? productOf ?? percentOf ?? [];
  const values = names.map((name) => row[name.replace(/^-/, '')]);
  if (values.length === 0 || values.some((value) => typeof value !== 'string')) return undefined;
  const texts = values as string[];
  if (sumOf !== undefined) return boundedAmount(signedSum(sumOf, (name) => unitsOf(String(row[name]))));
  const scales = texts.map((text) => text.split('.')[1]?.length ?? 0);
  const units = texts.map((text, index) => unitsOf(text, scales[index]));
  const decimals = scales.reduce((all, scale) => all + scale, percentOf === undefined ? 0 : 2) - 2;
  return boundedAmount(
    dividedHalfEven(
      units.reduce((all, one) => all * one, 1n),
      10n ** BigInt(decimals),
    ),
  );
}
