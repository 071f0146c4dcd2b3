// What one statement must be told of other services' records: everything within it that filters or orders by them.

import type { Field } from '../parse/name.js';
import type { EmbedPath } from '../plan/known.js';
import type {
  PlannedCondition,
  PlannedEmbed,
  PlannedField,
  PlannedItem,
  PlannedLevel,
  PlannedOrder,
} from '../plan/planned.js';

/** Keys of the records of one embed. */
export interface Need {
  readonly embed: PlannedEmbed;
  readonly path: EmbedPath;
  /** Which of them meet the conditions. */
  readonly meeting: boolean;
  /** What of them is told itself: where it makes groups, or is aggregated. */
  readonly values: readonly ToldBy[];
  /** How they are ordered by these. */
  readonly ranks: readonly Field[];
}

/** A field of a record, or of one that it leads to. */
export interface ToldBy {
  readonly through: readonly PlannedEmbed[];
  readonly field: Field;
}

type Level = Pick<PlannedLevel, 'embeds' | 'select' | 'where' | 'order'>;

/** What the statement of a level needs; levels embedded within it are part of it, unless they are answered apart. */
export function needsOf(level: Level, path: EmbedPath): readonly Need[] {
  const wayTo = (embed: PlannedEmbed): EmbedPath => [...path, level.embeds.indexOf(embed)];
  return [
    ...level.where.flatMap((condition) => ofCondition(condition, wayTo)),
    ...level.order.flatMap((term) => ofOrder(term, wayTo)),
    ...level.select.items.flatMap((item) => ofItem(level, item, path)),
    ...withinSelect(level).flatMap((embed) => needsOf(embed.level, wayTo(embed))),
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
      if (embed.isForeign) return [{ embed, path, meeting: true, values: [], ranks: [] }];
      return ofConditionsOn(embed, path);
    }
  }
}

/** Of a subquery of the statement's own. */
function ofConditionsOn({ level }: PlannedEmbed, path: EmbedPath): readonly Need[] {
  const inner = (within: PlannedEmbed): EmbedPath => [...path, level.embeds.indexOf(within)];
  return level.where.flatMap((condition) => ofCondition(condition, inner));
}

function ofOrder({ by }: PlannedOrder, wayTo: WayTo): readonly Need[] {
  if (by.kind !== 'related') return [];
  if (!by.embed.isForeign) return ofConditionsOn(by.embed, wayTo(by.embed));
  return [{ embed: by.embed, path: wayTo(by.embed), meeting: false, values: [], ranks: [named(by.field)] }];
}

const named = ({ column, path }: PlannedField): Field => ({ name: column.name, path });

/** In a grouped answer, what is another service's is not answered apart. */
function ofItem(level: Level, item: PlannedItem, path: EmbedPath): readonly Need[] {
  return level.select.isGrouped ? toldBy(item, []).flatMap((told) => toTell(level.embeds, told, path)) : [];
}

/** What the owner of a need's records must be told to tell what is asked of it. */
export const needsToTell = ({ embed, path, values }: Need): readonly Need[] =>
  values.flatMap((told) => toTell(embed.level.embeds, told, path));

/** The first record of another service on the way to a field: what lies behind it is that service's to tell. */
function toTell(
  embeds: readonly PlannedEmbed[],
  { through: [first, ...others], field }: ToldBy,
  path: EmbedPath,
): readonly Need[] {
  if (first === undefined) return [];
  const way = [...path, embeds.indexOf(first)];
  const told = { through: others, field };
  return first.isForeign
    ? [{ embed: first, path: way, meeting: false, values: [told], ranks: [] }]
    : [...ofConditionsOn(first, way), ...toTell(first.level.embeds, told, way)];
}

/** The fields that a member is made of, and the relations that lead to each. */
function toldBy(item: PlannedItem, through: readonly PlannedEmbed[]): readonly ToldBy[] {
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
      return [...isThere, ...item.embed.level.select.items.flatMap((member) => toldBy(member, way))];
    }
    case 'lifted':
      return toldBy(item.item, [...through, item.embed]);
  }
}

/** Relations that the level's own statement looks into. */
function withinSelect({ select }: Level): readonly PlannedEmbed[] {
  const embeds = select.items
    .map(embedOf)
    .filter((embed) => embed !== null && (!embed.isApart || (select.isGrouped && !embed.isForeign)));
  return [...new Set(embeds)] as PlannedEmbed[];
}

function embedOf(item: PlannedItem): PlannedEmbed | null {
  if (item.kind === 'embed' || item.kind === 'lifted') return item.embed;
  return item.kind === 'aggregate' ? (item.through[0] ?? null) : null;
}
