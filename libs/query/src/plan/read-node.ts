// One node of a read: a resource, its columns and conditions, and the levels embedded in it.

import { reject, Rejection } from '@practice/core';
import type { Catalog, Resource } from '@practice/resource';
import type { SelectedEmbed } from '../parse/select.js';
import { rangeOf } from '../parse/range.js';
import type { RowRange } from '../parse/range.js';
import type { Addressed, QueryOptions } from '../parse/query-options.js';
import { planCondition } from './condition.js';
import type { Names } from './condition.js';
import type { PlanContext } from './context.js';
import { planTotalOrder } from './order.js';
import type { PlannedCondition, PlannedEmbed, ReadNode } from './read-plan.js';
import { isOwnPractice } from './practice.js';
import { notEmbedded, notImplemented } from './problems.js';
import { planRelation } from './relation.js';
import { hasRemote, planSelect } from './select.js';
import type { EmbedsByItem } from './select.js';

/** What is asked of one node: the options with the names that lead to it taken off. */
export interface NodeOptions extends Pick<QueryOptions, 'select' | 'conditions' | 'orders'> {
  readonly limits: QueryOptions['limits'];
  readonly offsets: QueryOptions['offsets'];
  /** How many levels are around it. */
  readonly depth?: number;
}

/** @throws {Rejection} PGRST200, PGRST201, PGRST108, PGRST118, PGRST127, 42703, 42704, 42803, 42804, 42883 */
export function planReadNode(resource: Resource, options: NodeOptions, context: PlanContext): ReadNode {
  const embeds = planEmbeds(resource, options, context);
  const names: Names = { resource, embeds: embeds === NO_EMBEDS ? NOTHING : [...embeds.values()] };
  const select = planSelect(resource, options.select, { embeds, timezone: context.timezone });
  const where = planWhere(names, options, context);
  const inner = innerConditions(embeds);
  const order = planTotalOrder(names, ownOf(options.orders) ?? [], select);
  const range = rangeOf(ownOf(options.limits) ?? null, ownOf(options.offsets) ?? null);
  const { offset, limit } = capped(range, context);
  return {
    resource,
    embeds: names.embeds,
    select,
    where: inner.length === 0 ? where : [...where, ...inner],
    order,
    offset,
    limit,
  };
}

/** A range as it is read: never more rows than one read answers. */
export const capped = (
  { offset, limit }: RowRange,
  { maxRows }: PlanContext,
): RowRange & { limit: number } => ({
  offset,
  limit: Math.min(limit ?? maxRows, maxRows),
});

/**
 * The relations that a select embeds.
 * @throws {Rejection} PGRST108 for a wish about a relation that is not embedded, and as `planReadNode`
 */
export function planEmbeds(resource: Resource, options: NodeOptions, context: PlanContext): EmbedsByItem {
  const selected = options.select.filter((item) => item.kind === 'embed');
  checkAddresses(selected, options);
  return selected.length === 0
    ? NO_EMBEDS
    : new Map(selected.map((item) => [item, planEmbed(resource, item, { options, context })]));
}

/**
 * Checks that a select embeds relations that there are, where nothing of it is answered.
 * @throws {Rejection} PGRST200, PGRST201, PGRST108
 */
export function checkEmbeds(resource: Resource, options: NodeOptions, catalog: Catalog): void {
  const selected = options.select.filter((item) => item.kind === 'embed');
  checkAddresses(selected, options);
  for (const item of selected)
    checkEmbeds(planRelation(resource, item, catalog).resource, within(options, item), catalog);
}

const NO_EMBEDS: EmbedsByItem = new Map();
const NOTHING: readonly PlannedEmbed[] = [];

function planEmbed(
  parent: Resource,
  item: SelectedEmbed,
  { options, context }: { options: NodeOptions; context: PlanContext },
): PlannedEmbed {
  const { resource, ...relation } = planRelation(parent, item, context.catalog);
  const isCrossService = resource.service !== parent.service;
  if (isCrossService && context.semiJoinKeys === undefined) reject(notWithinService);
  const inner = within(options, item);
  const node = asEmbedded(resource.name, inner.depth, () => planReadNode(resource, inner, context));
  return {
    key: keyOf(item),
    relation,
    node,
    isCrossService,
    isRemote: isCrossService || hasRemote(node.select),
  };
}

/** Postgres knows an embedded table by an alias, and so do its messages: `clients_1`, where 1 is the depth. */
function asEmbedded(name: string, depth: number, plan: () => ReadNode): ReadNode {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof Rejection) || error.problem.code !== '42703') throw error;
    const { message, hint = null, ...problem } = error.problem;
    const renamed = (text: string): string =>
      text.replace(new RegExp(`^(.*?column "?)${name}\\.`), `$1${name}_${depth}.`);
    return reject({ ...problem, message: renamed(message), hint: hint === null ? null : renamed(hint) });
  }
}

const notWithinService = notImplemented('Records of another service are not embedded here.');

/**
 * The conditions on the node itself; that a row is the caller's own practice's is said by every statement and left out.
 * @throws {Rejection} 42703, 42883, 42804
 */
export function planWhere(
  names: Names,
  { conditions }: Pick<QueryOptions, 'conditions'>,
  { therapistId }: PlanContext,
): readonly PlannedCondition[] {
  const where: PlannedCondition[] = [];
  for (const { embed, value } of conditions) {
    if (embed.length > 0 || (value.kind === 'filter' && isOwnPractice(value, therapistId))) continue;
    where.push(planCondition(names, value));
  }
  return where;
}

/** What `!inner` asks of the rows outside: that there are such records. */
export const innerConditions = (embeds: EmbedsByItem): readonly PlannedCondition[] =>
  [...embeds]
    .filter(([item]) => item.kind === 'embed' && item.join === 'inner')
    .map(([, embed]) => ({ kind: 'existence', negated: false, embed }));

const keyOf = ({ alias, target }: SelectedEmbed): string => alias ?? target;

function checkAddresses(
  selected: readonly SelectedEmbed[],
  { conditions, orders, limits, offsets }: NodeOptions,
): void {
  for (const addressed of [conditions, orders, limits, offsets]) {
    for (const { embed } of addressed) {
      const [first] = embed;
      if (first !== undefined && called(selected, first) === undefined) reject(notEmbedded(first));
    }
  }
}

/** The embed that a name is one of: what the answer calls it or, where nothing is called so, what it leads to. */
const called = (selected: readonly SelectedEmbed[], name: string): SelectedEmbed | undefined =>
  selected.find((item) => keyOf(item) === name) ?? selected.find(({ target }) => target === name);

/** The options about one embed, without the name that leads to it. */
export function within(options: NodeOptions, item: SelectedEmbed): NodeOptions & { readonly depth: number } {
  const siblings = options.select.filter((other) => other.kind === 'embed');
  const inside = <T>(all: readonly Addressed<T>[]): readonly Addressed<T>[] =>
    all
      .filter(({ embed: [first] }) => first !== undefined && called(siblings, first) === item)
      .map(({ embed, value }) => ({ embed: embed.slice(1), value }));
  return {
    select: item.select,
    conditions: inside(options.conditions),
    orders: inside(options.orders),
    limits: inside(options.limits),
    offsets: inside(options.offsets),
    depth: (options.depth ?? 0) + 1,
  };
}

/** The first of what is said about the node itself. */
export const ownOf = <T>(all: readonly Addressed<T>[]): T | undefined =>
  all.find(({ embed }) => embed.length === 0)?.value;
