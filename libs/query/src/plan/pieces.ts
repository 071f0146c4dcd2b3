// How the members of an object are divided: runs that one statement returns, and members that other statements return.

import type { Media } from '../parse/media.js';
import type { PlannedEmbed, PlannedItem, PlannedSelect } from './read-plan.js';
import { isRemote, isStoredRecord } from './select.js';

/** The form of rows: members of a JSON object, fields of a line of CSV, or each value as separate JSON. */
export interface Format {
  readonly kind: 'members' | 'csv' | 'values';
  /** Whether members that are null are left out. */
  readonly stripped: boolean;
}

export type Piece =
  /** Adjacent members that one statement returns. `stored`: they are the stored record. */
  | { readonly kind: 'run'; readonly source: PlannedSelect['source']; readonly items: readonly PlannedItem[] }
  /** One member made of related records. */
  | { readonly kind: 'embed'; readonly key: string; readonly embed: PlannedEmbed }
  /** The members of related records, spread into the object. */
  | { readonly kind: 'spread'; readonly keys: readonly string[]; readonly embed: PlannedEmbed };

/** The rows of a whole response. */
export const formatOf = ({ shape, stripped }: Media): Format => ({
  kind: shape === 'csv' ? 'csv' : 'members',
  stripped,
});

/** The rows of a relation within rows of a format. The members of a single spread record are members like the others. */
export function formatWithin({ kind, stripped }: Format, piece: Exclude<Piece, { kind: 'run' }>): Format {
  if (piece.kind === 'embed') return { kind: 'members', stripped };
  return { kind: piece.embed.relation.isToOne ? kind : 'values', stripped };
}

/** The pieces of an object, in the order of its members. A grouped object is one run. */
export function piecesOf(
  { source, items, isGrouped }: PlannedSelect,
  { kind }: Pick<Format, 'kind'>,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let run: PlannedItem[] = [];
  const endRun = (): void => {
    const isStored = kind !== 'values' && isStoredRecord(source, run);
    if (run.length > 0) pieces.push({ kind: 'run', source: isStored ? 'stored' : 'columns', items: run });
    run = [];
  };
  for (const item of items) {
    const last = pieces.at(-1);
    if (isGrouped || !isRemote(item)) {
      run.push(item);
      if (kind === 'values') endRun();
      continue;
    }
    endRun();
    if (item.kind === 'embed') pieces.push({ kind: 'embed', key: item.key, embed: item.embed });
    else if (item.kind === 'spread') {
      if (last?.kind === 'spread' && last.embed === item.embed)
        pieces[pieces.length - 1] = { ...last, keys: [...last.keys, item.key] };
      else pieces.push({ kind: 'spread', keys: [item.key], embed: item.embed });
    }
  }
  endRun();
  return pieces;
}
