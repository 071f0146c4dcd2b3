// What one statement must be fetched of other services' records: everything within it that filters or orders by them.

import type { Field } from '../parse/name.js';
import type { EmbedPath } from '../plan/semi-join-keys.js';
import type {
  PlannedCondition,
  PlannedEmbed,
  PlannedField,
  PlannedItem,
  ReadNode,
  PlannedOrder,
} from '../plan/read-plan.js';

/** Keys of the records of one embed. */
export interface Need {
  readonly embed: PlannedEmbed;
  readonly path: EmbedPath;
  /** Which of them meet the conditions. */
  readonly matching: boolean;
  /** What of them is fetched itself: where it makes groups, or is aggregated. */
  readonly values: readonly FetchedRef[];
  /** How they are ordered by these. */
  readonly ranks: readonly Field[];
}

/** A field of a record, or of one that it leads to. */
export interface FetchedRef {
  readonly through: readonly PlannedEmbed[];
  readonly field: Field;
}

type Level = Pick<ReadNode, 'embeds' | 'select' | 'where' | 'order'>;

/** What the statement of a node needs; levels embedded within it are part of it, unless they are answered apart. */
export function needsOf(node: Level, path: EmbedPath): readonly Need[] {
  const wayTo = (embed: PlannedEmbed): EmbedPath => [...path, node.embeds.indexOf(embed)];
  return [
    ...node.where.flatMap((condition) => ofCondition(condition, wayTo)),
    ...node.order.flatMap((term) => ofOrder(term, wayTo)),
    ...node.select.items.flatMap((item) => ofItem(node, item, path)),
    ...withinSelect(node).flatMap((embed) => needsOf(embed.node, wayTo(embed))),
  ];
}

type WayTo = (embed: PlannedEmbed) => EmbedPath;

function ofCondition(condition: PlannedCondition, wayTo: WayTo): readonly Need[] {
  switch (condition.kind) {
    case 'filter':
      return [];
    case 'tree':
      return condition.members.flatMap((member) => ofCondition(member, wayTo));
    case 'existence': {
      const { embed } = condition;
      const path = wayTo(embed);
      if (embed.isCrossService) return [{ embed, path, matching: true, values: [], ranks: [] }];
      return ofConditionsOn(embed, path);
    }
  }
}

/** Of a subquery of the statement's own. */
function ofConditionsOn({ node }: PlannedEmbed, path: EmbedPath): readonly Need[] {
  const inner = (within: PlannedEmbed): EmbedPath => [...path, node.embeds.indexOf(within)];
  return node.where.flatMap((condition) => ofCondition(condition, inner));
}

function ofOrder({ by }: PlannedOrder, wayTo: WayTo): readonly Need[] {
  if (by.kind !== 'related') return [];
  if (!by.embed.isCrossService) return ofConditionsOn(by.embed, wayTo(by.embed));
  return [{ embed: by.embed, path: wayTo(by.embed), matching: false, values: [], ranks: [named(by.field)] }];
}

const named = ({ column, path }: PlannedField): Field => ({ name: column.name, path });

/** In a grouped answer, what is another service's is not answered apart. */
function ofItem(node: Level, item: PlannedItem, path: EmbedPath): readonly Need[] {
  return node.select.isGrouped
    ? fetchedFields(item, []).flatMap((fetched) => toFetch(node.embeds, fetched, path))
    : [];
}

/** What the owner of a need's records must be fetched to tell what is asked of it. */
export const needsToFetch = ({ embed, path, values }: Need): readonly Need[] =>
  values.flatMap((fetched) => toFetch(embed.node.embeds, fetched, path));

/** The first record of another service on the way to a field: what lies behind it is that service's to tell. */
function toFetch(
  embeds: readonly PlannedEmbed[],
  { through: [first, ...others], field }: FetchedRef,
  path: EmbedPath,
): readonly Need[] {
  if (first === undefined) return [];
  const way = [...path, embeds.indexOf(first)];
  const fetched = { through: others, field };
  return first.isCrossService
    ? [{ embed: first, path: way, matching: false, values: [fetched], ranks: [] }]
    : [...ofConditionsOn(first, way), ...toFetch(first.node.embeds, fetched, way)];
}

/** The fields that a member is made of, and the relations that lead to each. */
function fetchedFields(item: PlannedItem, through: readonly PlannedEmbed[]): readonly FetchedRef[] {
  switch (item.kind) {
    case 'value':
      return [{ through, field: named(item.field) }];
    case 'aggregate':
      return item.field === null
        ? []
        : [{ through: [...through, ...item.through], field: named(item.field) }];
    case 'embed': {
      const way = [...through, item.embed];
      const isThere = through.length === 0 ? [] : [{ through: way, field: { name: 'id', path: [] } }];
      return [...isThere, ...item.embed.node.select.items.flatMap((member) => fetchedFields(member, way))];
    }
    case 'spread':
      return fetchedFields(item.item, [...through, item.embed]);
  }
}

/** Relations that the node's own statement looks into. */
function withinSelect({ select }: Level): readonly PlannedEmbed[] {
  const embeds = select.items
    .map(embedOf)
    .filter((embed) => embed !== null && (!embed.isRemote || (select.isGrouped && !embed.isCrossService)));
  return [...new Set(embeds)] as PlannedEmbed[];
}

function embedOf(item: PlannedItem): PlannedEmbed | null {
  if (item.kind === 'embed' || item.kind === 'spread') return item.embed;
  return item.kind === 'aggregate' ? (item.through[0] ?? null) : null;
}
