// Assigns the options of the URL to the nodes of a read.

import { reject } from '@practice/core';
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

/** @throws {Rejection} PGRST108 for an option about a relation that is not embedded */
export function checkAddresses(
  selected: readonly SelectedEmbed[],
  { conditions, orders, limits, offsets }: NodeOptions,
): void {
  for (const addressed of [conditions, orders, limits, offsets]) {
    for (const { embed } of addressed) {
      const [first] = embed;
      if (first !== undefined && addressedBy(selected, first) === undefined) reject(notEmbedded(first));
    }
  }
}

/** The embed that a name addresses: the one with this key or, without one, the first with this target. */
const addressedBy = (selected: readonly SelectedEmbed[], name: string): SelectedEmbed | undefined =>
  selected.find((item) => keyOf(item) === name) ?? selected.find(({ target }) => target === name);

/** The options of an embed. */
export function within(options: NodeOptions, item: SelectedEmbed): NodeOptions {
  const siblings = options.select.filter((other) => other.kind === 'embed');
  const inside = <T>(all: readonly Addressed<T>[]): readonly Addressed<T>[] =>
    all
      .filter(({ embed: [first] }) => first !== undefined && addressedBy(siblings, first) === item)
      .map(({ embed, value }) => ({ embed: embed.slice(1), value }));
  return {
    select: item.select,
    conditions: inside(options.conditions),
    orders: inside(options.orders),
    limits: inside(options.limits),
    offsets: inside(options.offsets),
    depth: options.depth + 1,
  };
}

const isOwn = ({ embed }: Addressed<unknown>): boolean => embed.length === 0;

/** The first option about the node itself: of two orders the first applies. */
export const firstOwn = <T>(all: readonly Addressed<T>[]): T | undefined => all.find(isOwn)?.value;

/** The last option about the node itself: of two limits the last applies. */
export const lastOwn = <T>(all: readonly Addressed<T>[]): T | undefined => all.findLast(isOwn)?.value;
