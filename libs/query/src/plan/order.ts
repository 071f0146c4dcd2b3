import { reject } from '@practice/core';
import type { Resource } from '@practice/resource';
import type { Field } from '../parse/name.js';
import type { OrderTerm } from '../parse/order.js';
import { planField } from './columns.js';
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
 * The order that the caller wants.
 * @throws {Rejection} 42703, 42803 for a column outside the groups, PGRST108, PGRST118
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
 * As `planOrder`, made total: with the primary key behind it, or with the other members that make the groups.
 * @throws {Rejection} as `planOrder`
 */
export function planTotalOrder(
  names: Names,
  terms: readonly OrderTerm[],
  select: PlannedSelect,
): readonly PlannedOrder[] {
  const order = planOrder(names, terms, select);
  const keys = select.isGrouped ? groupKeys(select) : [idOf(names.resource)];
  const missing = keys.filter((key) => !order.some(({ by }) => isSameKey(by, key)));
  return [...order, ...missing.map((by) => ({ by, descending: false, nulls: null }))];
}

function keyOf(names: Names, { field, relation }: OrderTerm, select: PlannedSelect): OrderKey {
  if (relation !== null) return relatedKey(names, { relation, field }, select);
  const planned = planField(names.resource, field);
  return select.isGrouped
    ? groupKey(names.resource, planned, select.items)
    : { kind: 'field', field: planned };
}

function relatedKey(
  { embeds, resource }: Names,
  { relation, field }: { relation: string; field: Field },
  select: PlannedSelect,
): OrderKey {
  const embed = embeds.find(({ key }) => key === relation);
  if (embed === undefined) return reject(notEmbedded(relation));
  if (!embed.relation.isToOne) reject(notToOne(resource.name, relation));
  const planned = aliased(embed, field) ?? planField(embed.node.resource, field);
  return select.isGrouped
    ? spreadKey(embed, planned, select.items)
    : { kind: 'related', embed, field: planned };
}

/** A related column goes by what the answer calls it, too. */
function aliased({ node }: PlannedEmbed, { name, path }: Field): PlannedField | null {
  const item = node.select.items.find((member) => member.kind === 'value' && member.key === name);
  return item?.kind === 'value' && path.length === 0 && item.cast === null ? item.field : null;
}

function spreadKey(embed: PlannedEmbed, field: PlannedField, items: readonly PlannedItem[]): OrderKey {
  const index = items.findIndex(
    (item) =>
      item.kind === 'spread' &&
      item.embed === embed &&
      item.item.kind === 'value' &&
      isSameField(item.item.field, field),
  );
  if (index < 0) reject(notGrouped(`${embed.node.resource.name}_1`, field.column.name));
  return { kind: 'member', position: index + 1 };
}

function groupKey(resource: Resource, field: PlannedField, items: readonly PlannedItem[]): OrderKey {
  const index = items.findIndex((item) => item.kind === 'value' && isSameField(item.field, field));
  if (index < 0) reject(notGrouped(resource.name, field.column.name));
  return { kind: 'member', position: index + 1 };
}

const groupKeys = ({ items }: PlannedSelect): OrderKey[] =>
  items.flatMap((item, index) =>
    item.kind === 'aggregate' ? [] : [{ kind: 'member', position: index + 1 }],
  );

const idOf = (resource: Resource): OrderKey => ({
  kind: 'field',
  field: planField(resource, { name: 'id', path: [] }),
});

function isSameKey(a: OrderKey, b: OrderKey): boolean {
  if (a.kind === 'field' && b.kind === 'field') return isSameField(a.field, b.field);
  return a.kind === 'member' && b.kind === 'member' && a.position === b.position;
}

const isSameField = (a: PlannedField, b: PlannedField): boolean =>
  a.column.name === b.column.name && JSON.stringify(a.path) === JSON.stringify(b.path);

const notGrouped = (resource: string, column: string) => ({
  status: 400,
  code: '42803',
  message: `column "${resource}.${column}" must appear in the GROUP BY clause or be used in an aggregate function`,
});

/** PGRST118: there may be many related records, so they have no one place. */
const notToOne = (resource: string, relation: string) => ({
  status: 400,
  code: 'PGRST118',
  message: `A related order on '${relation}' is not possible`,
  details: `'${resource}' and '${relation}' do not form a many-to-one or one-to-one relationship`,
});
