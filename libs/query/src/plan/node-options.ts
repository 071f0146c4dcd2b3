// Assigns the options of the URL to the nodes of a read.

import { grouped, reject } from '@practice/core';
import type { Addressed, QueryOptions } from '../parse/query-options.js';
import type { SelectedEmbed } from '../parse/select.js';
import { notEmbedded } from './problems.js';

/** The options of one node: the options of the URL without the names that lead to the node. */
export interface NodeOptions extends Pick<
  QueryOptions,
  'select' | 'conditions' | 'orders' | 'limits' | 'offsets'
> {
  /** The number of nodes around this one. */
  readonly depth: number;
}

/** The name of the member that an embed becomes. */
export const keyOf = ({ alias, target }: SelectedEmbed): string => alias ?? target;

/**
 * The embeds of a node, each with its options.
 * @throws {Rejection} PGRST108 for an option about a relation that is not embedded
 */
export function optionsOfEmbeds(
  options: NodeOptions,
): readonly (readonly [item: SelectedEmbed, options: NodeOptions])[] {
  const { select, depth } = options;
  const selected = select.filter((item) => item.kind === 'embed');
  const addressed = addressedBy(selected);
  const conditions = inside(options.conditions, addressed);
  const orders = inside(options.orders, addressed);
  const limits = inside(options.limits, addressed);
  const offsets = inside(options.offsets, addressed);
  return selected.map((item) => [
    item,
    {
      select: item.select,
      conditions: conditions(item),
      orders: orders(item),
      limits: limits(item),
      offsets: offsets(item),
      depth: depth + 1,
    },
  ]);
}

type Addresses = ReadonlyMap<string, SelectedEmbed>;

/** Name → the embed that it addresses: the first one with this key or, without one, the first with this target. */
function addressedBy(selected: readonly SelectedEmbed[]): Addresses {
  const reversed = selected.toReversed();
  return new Map([
    ...reversed.map((item) => [item.target, item] as const),
    ...reversed.map((item) => [keyOf(item), item] as const),
  ]);
}

/** The options about each embed, without its name. */
function inside<T>(
  all: readonly Addressed<T>[],
  addressed: Addresses,
): (item: SelectedEmbed) => readonly Addressed<T>[] {
  const found = grouped(
    all.flatMap(({ embed: [first, ...embed], value }): [SelectedEmbed, Addressed<T>][] =>
      first === undefined ? [] : [[addressed.get(first) ?? reject(notEmbedded(first)), { embed, value }]],
    ),
  );
  return (item) => found.get(item) ?? [];
}

const isOwn = ({ embed }: Addressed<unknown>): boolean => embed.length === 0;

/** The first option about the node itself: of two orders the first applies. */
export const firstOwn = <T>(all: readonly Addressed<T>[]): T | undefined => all.find(isOwn)?.value;

/** The last option about the node itself: of two limits the last applies. */
export const lastOwn = <T>(all: readonly Addressed<T>[]): T | undefined => all.findLast(isOwn)?.value;
