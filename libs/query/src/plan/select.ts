import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { Field } from '../parse/name.js';
import type { SelectedColumn, SelectItem } from '../parse/select.js';
import { planCast } from './casts.js';
import { columnsOf, planField } from './columns.js';
import type { PlannedField } from './columns.js';
import type { PlanContext } from './context.js';
import { notImplemented } from './problems.js';
import { checkRelation } from './relation.js';

/** One member of the answered objects. */
export interface PlannedItem {
  readonly key: string;
  readonly field: PlannedField;
  /** The SQL type to cast to. */
  readonly cast: string | null;
}

/** The members of the answered objects. */
export interface PlannedSelect {
  /** Every column as the record has it, and nothing else. */
  readonly isWhole: boolean;
  readonly items: readonly PlannedItem[];
}

/** @throws {Rejection} 42703, 42704, PGRST200, PGRST127 */
export function planSelect(
  resource: Resource,
  select: readonly SelectItem[],
  context: PlanContext,
): PlannedSelect {
  if (select.length === 0 || (select.length === 1 && select[0]?.kind === 'all')) return wholeOf(resource);
  for (const item of select) if (item.kind === 'embed') checkRelation(resource, item, context.catalog);
  return { isWhole: false, items: select.flatMap((item) => planItem(resource, item)) };
}

const wholes = new WeakMap<Resource, PlannedSelect>();

/** Every column of a resource. */
export function wholeOf(resource: Resource): PlannedSelect {
  const known = wholes.get(resource);
  if (known !== undefined) return known;
  const items = [...columnsOf(resource).values()].map((column) => ({
    key: column.name,
    field: { column, path: [], type: column.type },
    cast: null,
  }));
  const whole: PlannedSelect = { isWhole: true, items };
  wholes.set(resource, whole);
  return whole;
}

function planItem(resource: Resource, item: SelectItem): readonly PlannedItem[] {
  switch (item.kind) {
    case 'all':
      return wholeOf(resource).items;
    case 'column':
      return [planSelected(resource, item)];
    case 'aggregate':
      return reject(notImplemented('Aggregates are not implemented.'));
    case 'embed':
      return reject(notImplemented('Embedding is not implemented.'));
  }
}

function planSelected(resource: Resource, { field, alias, cast }: SelectedColumn): PlannedItem {
  // `count` without parentheses counts rows, unless there is a column of that name.
  if (field.name === 'count' && field.path.length === 0 && !columnsOf(resource).has('count')) {
    reject(notImplemented('Aggregates are not implemented.'));
  }
  return {
    key: alias ?? lastKey(field),
    field: planField(resource, field),
    cast: cast === null ? null : planCast(cast),
  };
}

/** What a JSON path is called in the answer: its last key, where it has one. */
const lastKey = ({ name, path }: Field): string =>
  String(path.findLast(({ key }) => typeof key === 'string')?.key ?? name);
