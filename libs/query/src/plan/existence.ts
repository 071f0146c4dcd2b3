// Whether an embed returns a record, for `!inner` and `relation=is.null`. The limit and the offset of the embed count, too.

import type { PlannedEmbed, PlannedField, PlannedItem } from './read-plan.js';

/** Related records: of an embed, or of a subquery. */
export type Related = Pick<PlannedEmbed, 'node' | 'isSpread'> & {
  readonly relation: Pick<PlannedEmbed['relation'], 'isToOne'>;
};

/** When an embed returns a record. `rows`: if there are more matching related rows (or groups of them) than the offset skips. */
export type Existence = 'always' | 'never' | 'rows';

export function existenceOf(embed: Related): Existence {
  const { node, relation } = embed;
  if (node.limit === 0) return 'never';
  if (isGrouped(embed) && node.select.items.every(({ kind }) => kind === 'aggregate'))
    return node.offset === 0 ? 'always' : 'never';
  return relation.isToOne && node.offset > 0 ? 'never' : 'rows';
}

/** Aggregates in a spread to-one embed belong to the node that embeds it. */
const isGrouped = ({ node, relation, isSpread }: Related): boolean =>
  node.select.isGrouped && !(isSpread && relation.isToOne);

/** The columns that identify the rows of an embed: null if it has no groups, else the columns of its groups. */
export function groupColumns(embed: Related): readonly (PlannedField | string)[] | null {
  return isGrouped(embed) ? embed.node.select.items.flatMap(columnsOf) : null;
}

/** The field of a member; for related records, the name of the column that refers to them. */
function columnsOf(item: PlannedItem): readonly (PlannedField | string)[] {
  switch (item.kind) {
    case 'value':
      return [item.field];
    case 'aggregate':
      return [];
    case 'embed':
    case 'spread':
      return [item.embed.relation.here];
  }
}
