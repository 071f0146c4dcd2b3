import { problemFor, reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { Field } from '../parse/name.js';
import type { OrderTerm } from '../parse/order.js';
import { columnsOf, keyFields, planField, type Table } from './columns.js';
import type { Names } from './condition.js';
import type {
  OrderKey,
  PlannedEmbed,
  PlannedField,
  PlannedItem,
  PlannedOrder,
  PlannedSelect,
} from './read-plan.js';
import { notEmbedded } from './problems.js';

/**
 * The order that the caller asks for. Notes 42703, and 42803 for a column that is not part of the group's key.
 * @throws {Rejection} PGRST108, PGRST118
 */
export function planOrder(
  names: Names,
  terms: readonly OrderTerm[],
  select: PlannedSelect,
): readonly PlannedOrder[] {
  return terms.map((term) => {
    const { descending, nulls } = term;
    return { by: keyOf(names, term, select), descending, nulls };
  });
}

/**
 * As `planOrder`, made total: the primary key, or the remaining members of the group's key, are added at the end.
 * @throws {Rejection} as `planOrder`
 */
export function planTotalOrder(
  names: Names,
  terms: readonly OrderTerm[],
  select: PlannedSelect,
): readonly PlannedOrder[] {
  const order = planOrder(names, terms, select);
  const keys = select.isGrouped ? groupKeys(select) : primaryKey(names.resource);
  const missing = keys.filter((key) => !order.some(({ by }) => isSameKey(by, key)));
  return [...order, ...missing.map((by) => ({ by, descending: false, nulls: null }))];
}

/** The rows of a function may have no id. */
const primaryKey = (resource: Resource): readonly OrderKey[] =>
  'id' in resource.columns ? keyFields(resource).map((field) => ({ kind: 'field', field })) : [];

function keyOf(names: Names, { field, relation }: OrderTerm, select: PlannedSelect): OrderKey {
  if (relation !== null) return relatedKey(names, { relation, field }, select);
  const aggregate = aggregateKey(field, select);
  if (aggregate !== null) return aggregate;
  const planned = periodNamed(names.resource, field, select) ?? planField(names, field);
  return select.isGrouped ? groupKey(names, planned, select.items) : { kind: 'field', field: planned };
}

/** The aggregate that a term names by its alias, or by its function. A column that is part of the group's key comes first. */
function aggregateKey({ name, path }: Field, { items }: PlannedSelect): OrderKey | null {
  if (path.length > 0) return null;
  const isMember = items.some(
    (item) => item.kind === 'value' && item.field.unit === undefined && item.field.column.name === name,
  );
  const index = items.findIndex((item) => item.kind === 'aggregate' && item.key === name);
  return isMember || index < 0 ? null : { kind: 'member', position: index + 1 };
}

/** The period that a term names by its alias. A column of that name comes first, unless only its period is part of the group's key. */
function periodNamed(
  resource: Resource,
  { name, path }: Field,
  { isGrouped, items }: PlannedSelect,
): PlannedField | null {
  const values = items.flatMap((item) => (item.kind === 'value' ? [item] : []));
  const isColumn = isGrouped
    ? values.some(({ field }) => field.unit === undefined && field.column.name === name)
    : columnsOf(resource).has(name);
  if (isColumn || path.length > 0) return null;
  return values.find(({ key, field }) => field.unit !== undefined && key === name)?.field ?? null;
}

function relatedKey(
  { embeds, resource, problems, role }: Names,
  { relation, field }: { relation: string; field: Field },
  select: PlannedSelect,
): OrderKey {
  const embed = embeds.find(({ key }) => key === relation);
  if (embed === undefined) return reject(notEmbedded(relation));
  if (!embed.relation.isToOne) reject(notToOne(resource.name, relation));
  const table = { resource: embed.node.resource, alias: embed.node.alias, problems, role };
  const planned = aliased(embed, field, select.isGrouped) ?? planField(table, field);
  return select.isGrouped
    ? spreadKey(table, { embed, field: planned }, select.items)
    : { kind: 'related', embed, field: planned };
}

/** The related field that a term names by its alias in the response. Periods of another service do not count: it orders by columns. */
function aliased(
  { node, isCrossService }: PlannedEmbed,
  { name, path }: Field,
  isGrouped: boolean,
): PlannedField | null {
  const item = node.select.items.find((member) => member.kind === 'value' && member.key === name);
  if (item?.kind !== 'value' || path.length > 0 || item.cast !== null) return null;
  return item.field.unit !== undefined && isCrossService && !isGrouped ? null : item.field;
}

function spreadKey(
  table: Table,
  { embed, field }: { embed: PlannedEmbed; field: PlannedField },
  items: readonly PlannedItem[],
): OrderKey {
  const index = items.findIndex(
    (item) =>
      item.kind === 'spread' &&
      item.embed === embed &&
      item.item.kind === 'value' &&
      isSameField(item.item.field, field),
  );
  return memberAt(table, field, index);
}

/** A member of the group's key. If the primary key is in it, any other column is allowed, since it depends on the primary key. */
function groupKey(table: Table, field: PlannedField, items: readonly PlannedItem[]): OrderKey {
  const isKey = table.resource.historyOf === undefined;
  const index = items.findIndex((item) => item.kind === 'value' && isSameField(item.field, field));
  const dependsOnKey = index < 0 && isKey && items.some(isPrimaryKey);
  return dependsOnKey || isTextOf(items[index], field)
    ? { kind: 'field', field }
    : memberAt(table, field, index);
}

/** Whether a member is the text of a column: the groups of the column, but in another order, in which 100 comes before 20. */
const isTextOf = (member: PlannedItem | undefined, { column, path, unit }: PlannedField): boolean =>
  member?.kind === 'value' &&
  member.cast === 'text' &&
  column.virtual === undefined &&
  path.length === 0 &&
  unit === undefined;

const isPrimaryKey = (item: PlannedItem): boolean =>
  item.kind === 'value' &&
  item.field.column.name === 'id' &&
  item.field.path.length === 0 &&
  (item.cast === null || item.key === 'id');

/** The member at an index; without one, 42803 is noted and the first is used. */
function memberAt({ alias, problems }: Table, { column }: PlannedField, index: number): OrderKey {
  if (index < 0) problems.note(notGrouped(alias, column.name));
  return { kind: 'member', position: Math.max(index, 0) + 1 };
}

const groupKeys = ({ items }: PlannedSelect): OrderKey[] =>
  items.flatMap((item, index) =>
    item.kind === 'aggregate' ? [] : [{ kind: 'member', position: index + 1 }],
  );

function isSameKey(a: OrderKey, b: OrderKey): boolean {
  if (a.kind === 'field' && b.kind === 'field') return isSameField(a.field, b.field);
  return a.kind === 'member' && b.kind === 'member' && a.position === b.position;
}

const isSameField = (a: PlannedField, b: PlannedField): boolean =>
  a.column.name === b.column.name && a.unit === b.unit && JSON.stringify(a.path) === JSON.stringify(b.path);

const notGrouped = (alias: string, column: string) =>
  problemFor('42803', {
    message: `column "${alias}.${column}" must appear in the GROUP BY clause or be used in an aggregate function`,
  });

/** PGRST118: one record may have many related records, so they define no order. */
const notToOne = (resource: string, relation: string) =>
  problemFor('PGRST118', {
    message: `A related order on '${relation}' is not possible`,
    details: `'${resource}' and '${relation}' do not form a many-to-one or one-to-one relationship`,
  });
