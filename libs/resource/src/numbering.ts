// Numbers without gaps. A number is taken from a record with a counter, under the lock of the practice, in the change that uses it.

import { dependent, type DependentCommand, type Lookup, type LookupContext, type Named } from './decider.js';
import { defaultsOf } from './fold.js';
import type { NumberRules } from './definition-parts.js';
import type { Resource } from './resource.js';
import type { Row, RowOf } from './row.js';
import { lookupOf } from './shared-columns.js';
import type { Difference } from './totals.js';

/** The minimum number of digits. */
const DIGITS = 5;

/** The record that a practice has from the start: the stored one, or the defaults before its first change. It must be in `lookups`. */
export function fromStart<D extends Named>(
  definition: D,
  therapistId: string,
  context: LookupContext,
): RowOf<D> {
  const [stored] = context.rows(definition, 'id' as keyof RowOf<D> & string, therapistId);
  return stored ?? (defaultsOf(definition.columns) as RowOf<D>);
}

export const numberLookups = ({ numbered }: Resource, { therapist_id: practice }: Row): Lookup[] =>
  numbered === undefined ? [] : lookupOf(numbered.by.name, practice);

/** The next number: prefix, hyphen and digits, so that numbers with different prefixes differ. */
export function nextNumber(
  { numbered }: Pick<Resource, 'numbered'>,
  practice: string,
  context: LookupContext,
): string {
  const { by, prefix, next } = numbered as NumberRules;
  const counter: Row = fromStart(by as Named, practice, context);
  return `${String(counter[prefix])}-${String(counter[next]).padStart(DIGITS, '0')}`;
}

/** The command that increments the counter after a record has got its number. */
export function numberTaken(
  { numbered }: Resource,
  { before, after }: Difference,
  context: LookupContext,
): DependentCommand[] {
  const { column = '', by, next = '' } = numbered ?? {};
  if (by === undefined || after === null || (before?.[column] ?? null) !== null || after[column] === null)
    return [];
  const practice = String(after['therapist_id']);
  const counter: Row = fromStart(by as Named, practice, context);
  return [
    dependent(by as Resource, practice, { kind: 'change', changes: { [next]: Number(counter[next]) + 1 } }),
  ];
}
