import { oncePer, type PracticeRole, type Problem, problemFor, reject } from '@practice/core';
import { accessOf, isView, kinds, type Resource } from '@practice/resource';
import { limits } from '../limits.js';
import type { Field } from '../parse/name.js';
import type { SelectedAggregate, SelectedColumn, SelectItem, TimeUnit } from '../parse/select.js';
import { tooMany } from '../problems.js';
import { planCast } from './casts.js';
import { columnsOf, idField, isUnresolved, planField, type Table, typeOf, wholeColumn } from './columns.js';
import { seesAll } from './permission.js';
import type {
  PlannedAggregate,
  PlannedEmbed,
  PlannedItem,
  PlannedSelect,
  PlannedField,
} from './read-plan.js';
import { notImplemented } from './problems.js';

export interface SelectTerms {
  readonly embeds: EmbedsByItem;
  /** Whether the stored JSON of a record has the values that the caller asks for. */
  readonly isAsStored: boolean;
}

/** The embeds of a select, each by the item that names it. */
export type EmbedsByItem = ReadonlyMap<SelectItem, PlannedEmbed>;

/**
 * The members that a select asks for. Notes 42703, 42704 and 42883.
 * @throws {Rejection} PGRST127, PM400
 */
export function planSelect(
  table: Table,
  select: readonly SelectItem[],
  { embeds, isAsStored }: SelectTerms,
): PlannedSelect {
  const whole = wholeOf(table.resource)(table.role);
  if (isWhole(select) && isAsStored) return whole;
  const selected = select.length === 0 ? [ALL] : inOrder(select);
  const items = selected.flatMap((item) => planItem(table, item, embeds));
  if (items.length > limits.members) reject(tooMany(`more than ${limits.members} members in an object`));
  const isGrouped = items.some(({ kind }) => kind === 'aggregate');
  if (isGrouped && items.some((item) => isRemote(item) && !canBeFetched(item))) {
    reject(notImplemented('Grouping by records of another service is limited to columns of single records.'));
  }
  const source = isAsStored && isWhole(selected.filter(isOwn)) ? whole.source : 'columns';
  return { source, isGrouped, items: isGrouped ? items.map(asGroup) : items };
}

const ALL: SelectItem = { kind: 'all' };

const isOwn = ({ kind }: SelectItem): boolean => kind !== 'embed';

/** A record's own members come first, then members of embeds, each in the caller's order. */
const inOrder = (select: readonly SelectItem[]): readonly SelectItem[] => [
  ...select.filter(isOwn),
  ...select.filter((item) => !isOwn(item)),
];

const isWhole = ([first, ...others]: readonly SelectItem[]): boolean =>
  others.length === 0 && (first === undefined || first.kind === 'all');

/** Every column of a resource that a role sees. They are the stored record if it sees all of them. */
const wholeOf = oncePer(new WeakMap<Resource, (role: PracticeRole) => PlannedSelect>(), (resource) =>
  oncePer(new Map<PracticeRole, PlannedSelect>(), (role) => wholeFor(resource, role)),
);

function wholeFor(resource: Resource, role: PracticeRole): PlannedSelect {
  const { hidden } = accessOf(resource, role);
  const items = [...columnsOf(resource).values()].flatMap((column): PlannedItem[] =>
    hidden.has(column.name)
      ? []
      : [{ kind: 'value', key: column.name, field: wholeColumn(column), cast: null }],
  );
  const isStored = !isView(resource) && seesAll(resource, role) && !hasDetached(resource);
  return { source: isStored ? 'stored' : 'columns', isGrouped: false, items };
}

/** Whether any values of the resource are not part of the stored record. */
const hasDetached = (resource: Resource): boolean =>
  [...columnsOf(resource).values()].some(({ detached }) => detached !== undefined);

/** Whether a response with these members gives a value that no later read shows. */
export const showsOneTimeSecret = (items: readonly PlannedItem[]): boolean =>
  items.some((item) => item.kind === 'value' && item.field.column.isOneTimeSecret === true);

/** Whether these members are the stored record and nothing else. */
export const isStoredRecord = (source: PlannedSelect['source'], items: readonly PlannedItem[]): boolean =>
  source === 'stored' && items.length > 0 && items.every(({ kind }) => kind === 'value');

/** Whether a response needs more than one statement: another one returns some of its members. */
export const hasRemote = ({ isGrouped, items }: PlannedSelect): boolean => !isGrouped && items.some(isRemote);

export const isRemote = (item: PlannedItem): boolean =>
  (item.kind === 'embed' || item.kind === 'spread') && item.embed.isRemote;

/** The embed that a member shows something of; none for a member of the record itself. */
export function embedsOf(item: PlannedItem): readonly PlannedEmbed[] {
  if (item.kind === 'embed' || item.kind === 'spread') return [item.embed];
  return item.kind === 'aggregate' ? item.through.slice(0, 1) : [];
}

/** Whether a remote member can be part of a group's key: only columns of single records can be passed to the statement. */
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

function planItem(table: Table, item: SelectItem, embeds: EmbedsByItem): readonly PlannedItem[] {
  switch (item.kind) {
    case 'all':
      return wholeOf(table.resource)(table.role).items;
    case 'column':
      return [isLegacyCount(table, item) ? planAggregate(table, countOf(item)) : planValue(table, item)];
    case 'aggregate':
      return [planAggregate(table, item)];
    case 'embed': {
      const embed = embeds.get(item);
      // An embed without any selected member has nothing to show.
      if (embed === undefined || embed.node.select.items.length === 0 || item.select.length === 0) return [];
      return item.spread ? spreadItems(embed) : [{ kind: 'embed', key: embed.key, embed, isGroup: false }];
    }
  }
}

/** `count` without parentheses counts rows, unless there is a column of that name. */
const isLegacyCount = ({ resource }: Table, { field }: SelectedColumn): boolean =>
  field.name === 'count' && field.path.length === 0 && !columnsOf(resource).has('count');

const countOf = ({ alias, cast: resultCast }: SelectedColumn): SelectedAggregate => {
  return { kind: 'aggregate', function: 'count', field: null, alias, cast: null, resultCast };
};

const planAggregate = (table: Table, { field, alias, ...item }: SelectedAggregate): PlannedAggregate => ({
  kind: 'aggregate',
  key: alias ?? item.function,
  function: item.function,
  field: field === null ? null : planField(table, field),
  through: [],
  cast: planCast(table, item.cast),
  resultCast: planCast(table, item.resultCast),
});

function planValue(table: Table, { field, alias, cast, unit }: SelectedColumn): PlannedItem {
  const planned = planField(table, field);
  return {
    kind: 'value',
    key: alias ?? unit ?? lastKey(field),
    field: unit === undefined ? planned : periodOf(table, planned, unit),
    cast: planCast(table, cast),
  };
}

/** The member that a JSON path becomes: its last key, if it has one. */
const lastKey = ({ name, path }: Field): string =>
  String(path.findLast(({ key }) => typeof key === 'string')?.key ?? name);

const spreadItems = (embed: PlannedEmbed): PlannedItem[] =>
  embed.node.select.items.map((item) =>
    item.kind === 'aggregate'
      ? hoisted(embed, item)
      : { kind: 'spread', key: item.key, embed, item, isGroup: false },
  );

/** The aggregate of a spread record, applied to the rows that refer to it. A count counts the rows that have a related record. */
function hoisted(embed: PlannedEmbed, aggregate: PlannedAggregate): PlannedItem {
  if (!embed.relation.isToOne)
    reject(notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.'));
  const field = aggregate.field ?? idField(embed.node.resource);
  return { ...aggregate, field, through: [embed, ...aggregate.through] };
}

// Groups of time: a day or an instant is reduced to the period that contains it.

const day = typeOf(kinds.date);
const instant = typeOf(kinds.timestamp);

/**
 * A field reduced to its period: the first day of the period, or the instant at which the hour begins. Notes 42804 for a column
 * that has no periods of this length.
 */
export function periodOf({ problems }: Table, field: PlannedField, unit: TimeUnit): PlannedField {
  const { sqlType } = field.type;
  const isInstant = sqlType === instant.sqlType;
  const fits = isInstant || (sqlType === day.sqlType && unit !== 'hour');
  if (!fits && !isUnresolved(field.type)) problems.note(noPeriod(field, unit));
  return { ...field, unit, type: unit === 'hour' ? instant : day };
}

const noPeriod = ({ column, type }: PlannedField, unit: TimeUnit): Problem =>
  problemFor('42804', {
    message: `column "${column.name}" is of type ${type.sqlType}: it has no ${unit}()`,
    hint:
      unit === 'hour'
        ? 'Instants (timestamp with time zone) have hour().'
        : 'Dates and instants have day(), week(), month(), quarter() and year().',
  });
