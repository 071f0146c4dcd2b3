// The records of other services that one statement needs, because it filters or orders by them.

import type { Field } from '../parse/name.js';
import { existenceOf } from '../plan/existence.js';
import { embedsOf } from '../plan/select.js';
import type { EmbedPath } from '../plan/semi-join-keys.js';
import type {
  PlannedCondition,
  PlannedEmbed,
  PlannedField,
  PlannedItem,
  ReadNode,
  PlannedOrder,
} from '../plan/read-plan.js';

/** The parts of an embed's records that a statement needs. */
export interface Need {
  readonly embed: PlannedEmbed;
  readonly path: EmbedPath;
  /** The keys of matching records. */
  readonly matching: boolean;
  /** Fields that are fetched because they are part of a group's key, or aggregated. */
  readonly values: readonly FetchedRef[];
  /** Fields that rows are ordered by. */
  readonly ranks: readonly Field[];
}

/** A field of a record, or of a record that it refers to. */
export interface FetchedRef {
  readonly through: readonly PlannedEmbed[];
  readonly field: Field;
}

type Level = Pick<ReadNode, 'embeds' | 'select' | 'where' | 'order'>;

/** The needs of a node's statement. Embedded nodes are part of the statement, unless they are remote. */
export function needsOf(node: Level, path: EmbedPath): readonly Need[] {
  const pathTo = (embed: PlannedEmbed): EmbedPath => [...path, node.embeds.indexOf(embed)];
  return [
    ...node.where.flatMap((condition) => ofCondition(condition, pathTo)),
    ...node.order.flatMap((term) => ofOrder(term, pathTo)),
    ...node.select.items.flatMap((item) => ofItem(node, item, path)),
    ...withinSelect(node).flatMap((embed) => needsOf(embed.node, pathTo(embed))),
  ];
}

type PathTo = (embed: PlannedEmbed) => EmbedPath;

function ofCondition(condition: PlannedCondition, pathTo: PathTo): readonly Need[] {
  switch (condition.kind) {
    case 'filter':
      return [];
    case 'tree':
      return condition.members.flatMap((member) => ofCondition(member, pathTo));
    case 'existence': {
      const { embed } = condition;
      if (existenceOf(embed) !== 'rows') return [];
      const path = pathTo(embed);
      if (embed.isCrossService) return [{ embed, path, matching: true, values: [], ranks: [] }];
      return ofConditionsOn(embed, path);
    }
  }
}

/** The conditions of a subquery. */
function ofConditionsOn({ node }: PlannedEmbed, path: EmbedPath): readonly Need[] {
  const inner = (within: PlannedEmbed): EmbedPath => [...path, node.embeds.indexOf(within)];
  return node.where.flatMap((condition) => ofCondition(condition, inner));
}

function ofOrder({ by }: PlannedOrder, pathTo: PathTo): readonly Need[] {
  if (by.kind !== 'related') return [];
  if (!by.embed.isCrossService) return ofConditionsOn(by.embed, pathTo(by.embed));
  return [{ embed: by.embed, path: pathTo(by.embed), matching: false, values: [], ranks: [named(by.field)] }];
}

const named = ({ column, path }: PlannedField): Field => ({ name: column.name, path });

/** A grouped response has no remote members. Its statement gets the values of other services as parameters. */
function ofItem(node: Level, item: PlannedItem, path: EmbedPath): readonly Need[] {
  return node.select.isGrouped
    ? fetchedFields(item, []).flatMap((fetched) => toFetch(node.embeds, fetched, path))
    : [];
}

/** The needs of the service that returns the fetched fields of an embed. */
export const needsToFetch = ({ embed, path, values }: Need): readonly Need[] =>
  values.flatMap((fetched) => toFetch(embed.node.embeds, fetched, path));

/** The need of the first record of another service on the path to a field. That service returns everything further on the path. */
function toFetch(
  embeds: readonly PlannedEmbed[],
  { through: [first, ...others], field }: FetchedRef,
  path: EmbedPath,
): readonly Need[] {
  if (first === undefined) return [];
  const inner = [...path, embeds.indexOf(first)];
  const fetched = { through: others, field };
  return first.isCrossService
    ? [{ embed: first, path: inner, matching: false, values: [fetched], ranks: [] }]
    : [...ofConditionsOn(first, inner), ...toFetch(first.node.embeds, fetched, inner)];
}

/** The fields of a member, and the relations that lead to each. */
function fetchedFields(item: PlannedItem, through: readonly PlannedEmbed[]): readonly FetchedRef[] {
  switch (item.kind) {
    case 'value':
      return [{ through, field: named(item.field) }];
    case 'aggregate':
      return item.field === null
        ? []
        : [{ through: [...through, ...item.through], field: named(item.field) }];
    case 'embed': {
      const inner = [...through, item.embed];
      const isThere = through.length === 0 ? [] : [{ through: inner, field: { name: 'id', path: [] } }];
      return [...isThere, ...item.embed.node.select.items.flatMap((member) => fetchedFields(member, inner))];
    }
    case 'spread':
      return fetchedFields(item.item, [...through, item.embed]);
  }
}

/** The embeds that are part of the node's own statement. */
function withinSelect({ select }: Level): readonly PlannedEmbed[] {
  const embeds = select.items
    .flatMap(embedsOf)
    .filter((embed) => !embed.isRemote || (select.isGrouped && !embed.isCrossService));
  return [...new Set(embeds)];
}
