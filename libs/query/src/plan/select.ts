import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import { limits } from '../limits.js';
import type { Field } from '../parse/name.js';
import type { SelectedAggregate, SelectedColumn, SelectItem } from '../parse/select.js';
import { tooMany } from '../problems.js';
import { planCast } from './casts.js';
import { columnsOf, planField } from './columns.js';
import type { PlannedAggregate, PlannedEmbed, PlannedItem, PlannedSelect } from './planned.js';
import { notImplemented } from './problems.js';

/** The embeds of a select, each by the item that names it. */
export type EmbedsByItem = ReadonlyMap<SelectItem, PlannedEmbed>;

/** @throws {Rejection} 42703, 42704, PGRST127, PM400 */
export function planSelect(
  resource: Resource,
  select: readonly SelectItem[],
  embeds: EmbedsByItem,
): PlannedSelect {
  if (isWhole(select)) return wholeOf(resource);
  const items = select.flatMap((item) => planItem(resource, item, embeds));
  if (items.length > limits.members) reject(tooMany(`more than ${limits.members} members in an object`));
  const isGrouped = items.some(({ kind }) => kind === 'aggregate');
  if (isGrouped && items.some(makesNoGroups)) {
    reject(notImplemented('Groups are made of columns alone where another service has the records.'));
  }
  return { isWhole: false, isGrouped, items: isGrouped ? items.map(asGroup) : items };
}

const isWhole = ([first, ...others]: readonly SelectItem[]): boolean =>
  others.length === 0 && (first === undefined || first.kind === 'all');

const wholes = new WeakMap<Resource, PlannedSelect>();

/** Every column of a resource. */
export function wholeOf(resource: Resource): PlannedSelect {
  const known = wholes.get(resource);
  if (known !== undefined) return known;
  const items = [...columnsOf(resource).values()].map((column): PlannedItem => {
    return { kind: 'value', key: column.name, field: { column, path: [], type: column.type }, cast: null };
  });
  const whole: PlannedSelect = { isWhole: true, isGrouped: false, items };
  wholes.set(resource, whole);
  return whole;
}

/** Whether an answer needs more than one statement: it holds members that another one answers. */
export const holdsApart = ({ isGrouped, items }: PlannedSelect): boolean => !isGrouped && items.some(isApart);

/** Of records that are answered apart, a statement can be told columns of single ones, to make groups of. */
function makesNoGroups(item: PlannedItem): boolean {
  if ((item.kind !== 'lifted' && item.kind !== 'embed') || !item.embed.isApart) return false;
  const told = item.kind === 'lifted' ? [item.item] : item.embed.level.select.items;
  return !item.embed.isForeign || !item.embed.relation.isToOne || told.some(({ kind }) => kind !== 'value');
}

const asGroup = (item: PlannedItem): PlannedItem =>
  item.kind === 'embed' ? { ...item, isGroup: true } : item;

export const isApart = (item: PlannedItem): boolean =>
  (item.kind === 'embed' || item.kind === 'lifted') && item.embed.isApart;

function planItem(resource: Resource, item: SelectItem, embeds: EmbedsByItem): readonly PlannedItem[] {
  switch (item.kind) {
    case 'all':
      return wholeOf(resource).items;
    case 'column':
      return [isLegacyCount(resource, item) ? countOf(item) : planValue(resource, item)];
    case 'aggregate':
      return [planAggregate(resource, item)];
    case 'embed': {
      const embed = embeds.get(item);
      if (embed === undefined || item.select.length === 0) return [];
      return item.spread ? liftedItems(embed) : [{ kind: 'embed', key: embed.key, embed, isGroup: false }];
    }
  }
}

/** `count` without parentheses counts rows, unless there is a column of that name. */
const isLegacyCount = (resource: Resource, { field }: SelectedColumn): boolean =>
  field.name === 'count' && field.path.length === 0 && !columnsOf(resource).has('count');

const countOf = ({ alias, cast }: SelectedColumn): PlannedAggregate => ({
  kind: 'aggregate',
  key: alias ?? 'count',
  function: 'count',
  field: null,
  within: null,
  cast: null,
  resultCast: planOptionalCast(cast),
});

function planAggregate(resource: Resource, { field, alias, ...item }: SelectedAggregate): PlannedAggregate {
  return {
    kind: 'aggregate',
    key: alias ?? item.function,
    function: item.function,
    field: field === null ? null : planField(resource, field),
    within: null,
    cast: planOptionalCast(item.cast),
    resultCast: planOptionalCast(item.resultCast),
  };
}

const planValue = (resource: Resource, { field, alias, cast }: SelectedColumn): PlannedItem => ({
  kind: 'value',
  key: alias ?? lastKey(field),
  field: planField(resource, field),
  cast: planOptionalCast(cast),
});

const planOptionalCast = (cast: string | null): string | null => (cast === null ? null : planCast(cast));

/** What a JSON path is called in the answer: its last key, where it has one. */
const lastKey = ({ name, path }: Field): string =>
  String(path.findLast(({ key }) => typeof key === 'string')?.key ?? name);

const liftedItems = (embed: PlannedEmbed): PlannedItem[] =>
  embed.level.select.items.map((item) => lift(embed, item));

function lift(embed: PlannedEmbed, item: PlannedItem): PlannedItem {
  if (item.kind === 'aggregate') return hoisted(embed, item);
  return { kind: 'lifted', key: item.key, embed, item };
}

/** An aggregate of a column of single related records is one of the rows that they belong to. */
function hoisted(embed: PlannedEmbed, aggregate: PlannedAggregate): PlannedItem {
  if (!embed.relation.isToOne)
    reject(notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.'));
  if (aggregate.field === null || aggregate.within !== null)
    reject(notImplemented('Of a relation that is spread, only columns of its own are aggregated.'));
  return { ...aggregate, within: embed };
}
