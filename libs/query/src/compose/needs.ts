// What one statement must be told of other services' records: everything within it that filters or orders by them.

import type { Field } from '../parse/name.js';
import type { EmbedPath } from '../plan/known.js';
import type { PlannedCondition, PlannedEmbed, PlannedLevel, PlannedOrder } from '../plan/planned.js';
import { isApart } from '../plan/select.js';

/** Keys of the records of one embed. */
export interface Need {
  readonly embed: PlannedEmbed;
  readonly path: EmbedPath;
  /** Which of them meet the conditions. */
  readonly meeting: boolean;
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
      if (embed.isForeign) return [{ embed, path, meeting: true, ranks: [] }];
      const inner = (within: PlannedEmbed): EmbedPath => [...path, embed.level.embeds.indexOf(within)];
      return embed.level.where.flatMap((member) => ofCondition(member, inner));
    }
  }
}

function ofOrder({ by }: PlannedOrder, wayTo: WayTo): readonly Need[] {
  if (by.kind !== 'related' || !by.embed.isForeign) return [];
  const field: Field = { name: by.field.column.name, path: by.field.path };
  return [{ embed: by.embed, path: wayTo(by.embed), meeting: false, ranks: [field] }];
}

function withinSelect({ select }: Level): readonly PlannedEmbed[] {
  const embeds = select.items.flatMap((item) =>
    (item.kind === 'embed' || item.kind === 'lifted') && !isApart(item) ? [item.embed] : [],
  );
  return [...new Set(embeds)];
}
