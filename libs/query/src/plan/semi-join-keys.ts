// What is known of records that another service owns: enough to filter and order by them without seeing them.

import type { PlannedEmbed, PlannedField, ReadNode } from './read-plan.js';

/** The way from the root of a request to an embed: its place among the embeds of each node. */
export type EmbedPath = readonly number[];

/** What the owner of an embed's records has answered, as it travels. Keys and places are packed: see `unpackedKeys`. */
export interface SemiJoinKeys {
  readonly path: EmbedPath;
  /** Keys of the related records that meet all conditions on them; null where that was not asked. */
  readonly matching: string | null;
  /** JSON: key → field → its text, of related records that meet all conditions; null where that was not asked. */
  readonly values: string | null;
  /** For each field that is ordered by: the keys of records that have a value there, and the place of each. */
  readonly ranks: readonly { readonly field: string; readonly keys: string; readonly positions: string }[];
}

/** The same at hand for a statement, each ready to be bound. */
export interface BoundKeys {
  /** Array literals of uuids. */
  readonly matching: ReadonlyMap<PlannedEmbed, string>;
  /** JSON objects, key → field → its text. */
  readonly values: ReadonlyMap<PlannedEmbed, string>;
  /** JSON objects, key → place, by the name of the field. */
  readonly ranks: ReadonlyMap<PlannedEmbed, ReadonlyMap<string, string>>;
}

/** Resolves what travelled against the embeds of a plan. */
export function boundKeys(embeds: readonly PlannedEmbed[], keys: readonly SemiJoinKeys[]): BoundKeys {
  const matching = new Map<PlannedEmbed, string>();
  const values = new Map<PlannedEmbed, string>();
  const ranks = new Map<PlannedEmbed, ReadonlyMap<string, string>>();
  for (const { path, ...known } of keys) {
    const embed = embedAt(embeds, path);
    if (known.matching !== null) matching.set(embed, `{${unpackedKeys(known.matching).join(',')}}`);
    if (known.values !== null) values.set(embed, known.values);
    ranks.set(embed, new Map(known.ranks.map((rank) => [rank.field, positionsOf(rank)])));
  }
  return { matching, values, ranks };
}

/** @throws {Error} when a plan has no embed there: then it is not the plan of the same request */
export function embedAt(embeds: readonly PlannedEmbed[], path: EmbedPath): PlannedEmbed {
  const [first = -1, ...others] = path;
  const embed = embeds[first];
  if (embed === undefined) throw new Error(`nothing is embedded at ${path.join('.')}`);
  return others.length === 0 ? embed : embedAt(embed.node.embeds, others);
}

/** A field of a record, or of a single one that this refers to, and so on. */
export interface FetchedField {
  readonly through: readonly PlannedEmbed[];
  readonly field: PlannedField;
}

/** A fetched field as one text: behind the places of the relations that lead to it. */
export const fetchedName = (from: ReadNode, { through, field }: FetchedField): string =>
  [...positionsOfEmbeds(from, through), fieldText(field)].join('.');

/** The place of each embed among those of the one before it. */
export function positionsOfEmbeds(from: ReadNode, through: readonly PlannedEmbed[]): EmbedPath {
  const outer = [from, ...through.map(({ node }) => node)];
  return through.map((embed, index) => outer[index]?.embeds.indexOf(embed) ?? -1);
}

/** A field as one text: `metadata->a->>b`. */
export const fieldText = ({ column, path }: PlannedField): string =>
  column.name + path.map(({ asText, key }) => `${asText ? '->>' : '->'}${JSON.stringify(key)}`).join('');

const UUID_BYTES = 16;
const PLACE_BYTES = 4;

/** Keys from their packed form: base64 of the bytes of the uuids, one behind the other. */
export function unpackedKeys(packed: string): string[] {
  const hex = Buffer.from(packed, 'base64').toString('hex');
  return Array.from({ length: hex.length / (UUID_BYTES * 2) }, (_, index) =>
    hex.slice(index * UUID_BYTES * 2, (index + 1) * UUID_BYTES * 2),
  );
}

/** How many keys are packed in a text. */
export const packedCount = (packed: string): number =>
  Math.floor(Buffer.byteLength(packed, 'base64') / UUID_BYTES);

function positionsOf({ keys, positions }: { keys: string; positions: string }): string {
  const bytes = Buffer.from(positions, 'base64');
  const members = unpackedKeys(keys).map(
    (hex, index) => `"${hyphenated(hex)}":${bytes.readInt32BE(index * PLACE_BYTES)}`,
  );
  return `{${members.join(',')}}`;
}

const hyphenated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
