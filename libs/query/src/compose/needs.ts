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
  PlannedSelect,
} from '../plan/planned.js';

/** Keys of the records of one embed. */
export interface Need {
  readonly embed: PlannedEmbed;
  readonly path: EmbedPath;
  /** Which of them meet the conditions. */
  readonly meeting: boolean;
  /** What of them is told itself: where it makes groups, or is aggregated. */
  readonly values: readonly Field[];
  /** How they are ordered by these. */
  readonly ranks: readonly Field[];
}

type Level = Pick<PlannedLevel, 'embeds' | 'select' | 'where' | 'order'>;

/** What the statement of a level needs; levels embedded within it are part of it, unless they are answered apart. */
export function needsOf(level: Level, path: EmbedPath): readonly Need[] {
  const wayTo = (embed: PlannedEmbed): EmbedPath => [...path, level.embeds.indexOf(embed)];
  return [
    ...level.where.flatMap((condition) => ofCondition(condition, wayTo)),
    ...level.order.flatMap((term) => ofOrder(term, wayTo)),
    ...level.select.items.flatMap((item) => ofItem(level.select, item, wayTo)),
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
      const inner = (within: PlannedEmbed): EmbedPath => [...path, embed.level.embeds.indexOf(within)];
      return embed.level.where.flatMap((member) => ofCondition(member, inner));
    }
  }
}

function ofOrder({ by }: PlannedOrder, wayTo: WayTo): readonly Need[] {
  if (by.kind !== 'related' || !by.embed.isForeign) return [];
  return [{ embed: by.embed, path: wayTo(by.embed), meeting: false, values: [], ranks: [named(by.field)] }];
}

const named = ({ column, path }: PlannedField): Field => ({ name: column.name, path });

/** In a grouped answer, what is another service's is not answered apart. */
function ofItem({ isGrouped }: PlannedSelect, item: PlannedItem, wayTo: WayTo): readonly Need[] {
  const embed = embedOf(item);
  if (!isGrouped || embed?.isForeign !== true) return [];
  const values = toldBy(item).map(named);
  return [{ embed, path: wayTo(embed), meeting: false, values, ranks: [] }];
}

/** The fields of a related record that a member is made of. */
function toldBy(item: PlannedItem): readonly PlannedField[] {
  switch (item.kind) {
    case 'value':
      return [item.field];
    case 'aggregate':
      return item.field === null ? [] : [item.field];
    case 'embed':
      return item.embed.level.select.items.flatMap(toldBy);
    case 'lifted':
      return toldBy(item.item);
  }
}

function withinSelect({ select }: Level): readonly PlannedEmbed[] {
  const embeds = select.items.map(embedOf).filter((embed) => embed !== null && !embed.isApart);
  return [...new Set(embeds)] as PlannedEmbed[];
}

function embedOf(item: PlannedItem): PlannedEmbed | null {
  if (item.kind === 'embed' || item.kind === 'lifted') return item.embed;
  return item.kind === 'aggregate' ? item.within : null;
}
