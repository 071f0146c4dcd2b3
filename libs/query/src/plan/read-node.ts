// One node of a read: a resource, its columns and conditions, and the nodes embedded in it.

import { reject } from '@practice/core';
import { accessOf, areReadApart, kinds, type Resource } from '@practice/resource';
import { limits } from '../limits.js';
import { rangeOf, type RowRange } from '../parse/range.js';
import { planCondition, planSearches, type Names } from './condition.js';
import type { PlanContext, Planning } from './context.js';
import type { SelectedEmbed } from '../parse/select.js';
import { firstOwn, keyOf, lastOwn, optionsOfEmbeds, type NodeOptions } from './node-options.js';
import { planTotalOrder } from './order.js';
import type { PlannedCondition, PlannedEmbed, ReadNode } from './read-plan.js';
import { isOwnPractice } from './practice.js';
import { notImplemented } from './problems.js';
import { checkFollowed } from './permission.js';
import { planRelation, type Followed } from './relation.js';
import { hasRemote, planSelect, type EmbedsByItem } from './select.js';

/**
 * Plans a node. Notes 42703, 42704, 42803, 42804 and 42883.
 * @param isSpreadToOne whether the node is one spread record, so that its aggregates belong to the node that embeds it
 * @throws {Rejection} PGRST200, PGRST201, PGRST108, PGRST118, PGRST127, PM400, 42501
 */
export function planReadNode(
  resource: Resource,
  options: NodeOptions,
  { planning, isSpreadToOne }: { planning: Planning; isSpreadToOne: boolean },
): ReadNode {
  const embeds = planEmbeds(resource, options, planning);
  const plain = namesOf(resource, { options, embeds, planning });
  const names = { ...plain, searches: planSearches(plain, options.conditions) };
  const select = planSelect(names, options.select, { embeds, isAsStored: planning.isAsStored });
  const where = planWhere(names, options, planning);
  const inner = innerConditions(embeds);
  const grouped = isSpreadToOne ? { ...select, isGrouped: false } : select;
  const order = planTotalOrder(names, firstOwn(options.orders) ?? [], grouped);
  const range = rangeOf(lastOwn(options.limits) ?? null, lastOwn(options.offsets) ?? null);
  return {
    resource,
    role: names.role,
    alias: names.alias,
    embeds: names.embeds,
    select,
    where: inner.length === 0 ? where : [...where, ...inner],
    order,
    ...capped(range),
  };
}

interface Embedding {
  readonly options: Pick<NodeOptions, 'depth'>;
  readonly embeds: EmbedsByItem;
  readonly planning: Planning;
}

/** The names that the conditions and the order of a node may use. Postgres' messages call an embedded table `clients_1`: 1 is the depth. */
export const namesOf = (
  resource: Resource,
  { options: { depth }, embeds, planning: { problems, practiceRole: role } }: Embedding,
): Names => ({
  resource,
  alias: depth === 0 ? resource.name : `${resource.name}_${depth}`,
  problems,
  role,
  embeds: [...embeds.values()],
});

/** A range as it is read: never more rows than one read returns. */
export const capped = ({ offset, limit }: RowRange): RowRange & { limit: number } => ({
  offset,
  limit: Math.min(limit ?? limits.readRows, limits.readRows),
});

/**
 * The relations that a select embeds.
 * @throws {Rejection} PGRST108 for an option about a relation that is not embedded, and as `planReadNode`
 */
export function planEmbeds(resource: Resource, options: NodeOptions, planning: Planning): EmbedsByItem {
  return new Map(
    optionsOfEmbeds(options).map(([item, inner]) => [
      item,
      planEmbed({ parent: resource, item, options: inner }, planning),
    ]),
  );
}

/**
 * Checks that the relations of a select exist, for a response without records.
 * @throws {Rejection} PGRST200, PGRST201, PGRST108, 42501
 */
export function checkEmbeds(resource: Resource, options: NodeOptions, context: PlanContext): void {
  for (const [item, inner] of optionsOfEmbeds(options))
    checkEmbeds(followedFrom(resource, item, context).resource, inner, context);
}

interface Embed {
  /** The resource that contains the embed. */
  readonly parent: Resource;
  readonly item: SelectedEmbed;
  readonly options: NodeOptions;
}

function planEmbed({ parent, item, options }: Embed, planning: Planning): PlannedEmbed {
  const { resource, ...relation } = followedFrom(parent, item, planning);
  const isCrossService = areReadApart(resource, parent);
  if (isCrossService && planning.semiJoinKeys === undefined) reject(notWithinService);
  const isSpreadToOne = item.spread && relation.isToOne;
  const node = planReadNode(resource, options, { planning, isSpreadToOne });
  return {
    key: keyOf(item),
    relation,
    node,
    isInner: item.join === 'inner',
    hasConditions: options.conditions.length > 0,
    isSpread: item.spread,
    isCrossService,
    isRemote: isCrossService || hasRemote(node.select),
  };
}

function followedFrom(
  parent: Resource,
  item: SelectedEmbed,
  { catalog, practiceRole }: PlanContext,
): Followed {
  const followed = planRelation(parent, item, catalog);
  checkFollowed(parent, followed, practiceRole);
  return followed;
}

const notWithinService = notImplemented('Records of another service are not embedded here.');

/** The conditions on the node itself. A condition on the caller's own practice is left out, since every statement has it. */
export function planWhere(
  names: Names,
  { conditions }: Pick<NodeOptions, 'conditions'>,
  { therapistId, userId }: PlanContext,
): readonly PlannedCondition[] {
  const where = ownRecords(names, userId);
  for (const { embed, value } of conditions) {
    if (embed.length > 0 || (value.kind === 'filter' && isOwnPractice(value, therapistId))) continue;
    where.push(planCondition(names, value));
  }
  return where;
}

/** The condition for a role that sees only the records that name the user. Without a user, no record matches. */
function ownRecords(names: Names, userId = NOBODY): PlannedCondition[] {
  const { of } = accessOf(names.resource, names.role);
  if (of === undefined) return [];
  const isList = names.resource.columns[of]?.kind === kinds.texts;
  const operand = { kind: 'value', text: isList ? `{${userId}}` : userId } as const;
  const operator = isList ? 'cs' : 'eq';
  const field = { name: of, path: [] };
  return [planCondition(names, { kind: 'filter', negated: false, operator, operand, field })];
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Whether a node, or a node embedded in it, has only records that name the user. Its plan must not be used for other users. */
export const isOfOneUser = ({
  resource,
  role,
  embeds,
}: Pick<ReadNode, 'resource' | 'role' | 'embeds'>): boolean =>
  accessOf(resource, role).of !== undefined || embeds.some(({ node }) => isOfOneUser(node));

/** The conditions of `!inner`: the embed returns a record. */
export const innerConditions = (embeds: EmbedsByItem): readonly PlannedCondition[] =>
  [...embeds.values()]
    .filter(({ isInner }) => isInner)
    .map((embed) => ({ kind: 'existence', negated: false, embed }));
