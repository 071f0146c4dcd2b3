import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import { limits } from '../limits.js';
import type { Field } from '../parse/name.js';
import type { SelectedAggregate, SelectedColumn, SelectItem } from '../parse/select.js';
import { tooMany } from '../problems.js';
import { planCast } from './casts.js';
import { columnsOf, planField } from './columns.js';
import type { PlannedAggregate, PlannedEmbed, PlannedItem, PlannedSelect } from './read-plan.js';
import { notImplemented } from './problems.js';

export interface SelectTerms {
  readonly embeds: EmbedsByItem;
  /** Other than UTC: null, where records are fetched as they were stored. */
  readonly timezone?: string | null | undefined;
}

/** The embeds of a select, each by the item that names it. */
export type EmbedsByItem = ReadonlyMap<SelectItem, PlannedEmbed>;

/** @throws {Rejection} 42703, 42704, PGRST127, PM400 */
export function planSelect(
  resource: Resource,
  select: readonly SelectItem[],
  { embeds, timezone = null }: SelectTerms,
): PlannedSelect {
  if (isWhole(select)) return timezone === null ? wholeOf(resource) : zonedOf(resource);
  const fetched = inOrder(select).flatMap((item) => planItem(resource, item, embeds));
  const items = timezone === null ? fetched : fetched.map(notStored);
  if (items.length > limits.members) reject(tooMany(`more than ${limits.members} members in an object`));
  const isGrouped = items.some(({ kind }) => kind === 'aggregate');
  if (isGrouped && items.some(makesNoGroups)) {
    reject(notImplemented('Groups are made of columns alone where another service has the records.'));
  }
  return { isWhole: false, isGrouped, items: isGrouped ? items.map(asGroup) : items };
}

/** A record's own members first, then what is embedded or spread, each in the caller's order. */
const inOrder = (select: readonly SelectItem[]): readonly SelectItem[] => [
  ...select.filter(({ kind }) => kind !== 'embed'),
  ...select.filter(({ kind }) => kind === 'embed'),
];

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

/** The same in another zone than the one that records were stored in. */
const zonedOf = (resource: Resource): PlannedSelect => ({
  isWhole: false,
  isGrouped: false,
  items: wholeOf(resource).items.map(notStored),
});

/** Not the item that stands for what was stored: fetched anew. */
const notStored = (item: PlannedItem): PlannedItem => ({ ...item });

/** Whether an answer needs more than one statement: it holds members that another one answers. */
export const hasRemote = ({ isGrouped, items }: PlannedSelect): boolean => !isGrouped && items.some(isRemote);

/** What is answered apart makes groups only where a statement can be fetched it: columns of single records. */
const makesNoGroups = (item: PlannedItem): boolean => isRemote(item) && !canBeFetched(item);

function canBeFetched(item: PlannedItem): boolean {
  switch (item.kind) {
    case 'value':
      return true;
    case 'aggregate':
      return false;
    case 'spread':
      return item.embed.relation.isToOne && canBeFetched(item.item);
    case 'embed': {
      const { relation, node } = item.embed;
      return relation.isToOne && !node.select.isGrouped && node.select.items.every(canBeFetched);
    }
  }
}

function asGroup(item: PlannedItem): PlannedItem {
  if (item.kind === 'spread') return { ...item, item: asGroup(item.item), isGroup: true };
  return item.kind === 'embed' ? { ...item, isGroup: true } : item;
}

export const isRemote = (item: PlannedItem): boolean =>
  (item.kind === 'embed' || item.kind === 'spread') && item.embed.isRemote;

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
      // Where nothing is selected, or nothing but that, there is nothing to show.
      if (embed === undefined || embed.node.select.items.length === 0 || item.select.length === 0) return [];
      return item.spread ? spreadItems(embed) : [{ kind: 'embed', key: embed.key, embed, isGroup: false }];
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
  through: [],
  cast: null,
  resultCast: planOptionalCast(cast),
});

function planAggregate(resource: Resource, { field, alias, ...item }: SelectedAggregate): PlannedAggregate {
  return {
    kind: 'aggregate',
    key: alias ?? item.function,
    function: item.function,
    field: field === null ? null : planField(resource, field),
    through: [],
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

const spreadItems = (embed: PlannedEmbed): PlannedItem[] =>
  embed.node.select.items.map((item) => spread(embed, item));

function spread(embed: PlannedEmbed, item: PlannedItem): PlannedItem {
  if (item.kind === 'aggregate') return hoisted(embed, item);
  return { kind: 'spread', key: item.key, embed, item, isGroup: false };
}

/** An aggregate of single related records is one of the rows that they belong to; counting them, each has an id. */
function hoisted(embed: PlannedEmbed, aggregate: PlannedAggregate): PlannedItem {
  if (!embed.relation.isToOne)
    reject(notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.'));
  const field = aggregate.field ?? planField(embed.node.resource, { name: 'id', path: [] });
  return { ...aggregate, field, through: [embed, ...aggregate.through] };
}
