// Keys of records that another service owns. With these keys a statement filters and orders by the records without reading them.

import type { PlannedEmbed, PlannedField, ReadNode } from './read-plan.js';

/** The path from one read node to an embed below it: the index of the embed at each level. */
export type EmbedPath = readonly number[];

/** The keys of an embed's records as its owner returns them. Keys and positions are packed: see `unpackedKeys`. */
export interface SemiJoinKeys {
  readonly path: EmbedPath;
  /** The keys of the related records that match all conditions; null if not requested. */
  readonly matching: string | null;
  /** JSON: key → field → its text, of related records that match all conditions; null if not requested. */
  readonly values: string | null;
  /** For each field in an order: the keys of the records with a value in it, and the position of each record. */
  readonly ranks: readonly { readonly field: string; readonly keys: string; readonly positions: string }[];
}

/** The same for one statement, each entry ready to be bound as a parameter. */
export interface BoundKeys {
  /** Array literals of uuids. */
  readonly matching: ReadonlyMap<PlannedEmbed, string>;
  /** JSON objects, key → field → its text. */
  readonly values: ReadonlyMap<PlannedEmbed, string>;
  /** JSON objects, key → position, by the name of the field. */
  readonly ranks: ReadonlyMap<PlannedEmbed, ReadonlyMap<string, string>>;
}

/** Assigns fetched keys to the embeds of a plan. */
export function boundKeys(embeds: readonly PlannedEmbed[], keys: readonly SemiJoinKeys[]): BoundKeys {
  const matching = new Map<PlannedEmbed, string>();
  const values = new Map<PlannedEmbed, string>();
  const ranks = new Map<PlannedEmbed, ReadonlyMap<string, string>>();
  for (const { path, ...fetched } of keys) {
    const embed = embedAt(embeds, path);
    if (fetched.matching !== null) matching.set(embed, `{${unpackedKeys(fetched.matching).join(',')}}`);
    if (fetched.values !== null) values.set(embed, fetched.values);
    ranks.set(embed, new Map(fetched.ranks.map((rank) => [rank.field, positionsOf(rank)])));
  }
  return { matching, values, ranks };
}

/** The embed at a path. @throws {Error} if it does not exist, because the plan and the path are of different requests */
export function embedAt(embeds: readonly PlannedEmbed[], path: EmbedPath): PlannedEmbed {
  const [first = -1, ...others] = path;
  const embed = embeds[first];
  if (embed === undefined) throw new Error(`nothing is embedded at ${path.join('.')}`);
  return others.length === 0 ? embed : embedAt(embed.node.embeds, others);
}

/** A field of a record, or of a single record that it refers to, and so on. */
export interface FetchedField {
  readonly through: readonly PlannedEmbed[];
  readonly field: PlannedField;
}

/** The name of a fetched field: the path of the relations that lead to it, then the field. */
export const fetchedName = (from: ReadNode, { through, field }: FetchedField): string =>
  [...pathThrough(from, through), fieldText(field)].join('.');

/** The index of each embed among the embeds of the one before it. */
export function pathThrough(from: ReadNode, through: readonly PlannedEmbed[]): EmbedPath {
  const outer = [from, ...through.map(({ node }) => node)];
  return through.map((embed, index) => outer[index]?.embeds.indexOf(embed) ?? -1);
}

/** A field as one text: `metadata->a->>b`. */
export const fieldText = ({ column, path }: PlannedField): string =>
  column.name + path.map(({ asText, key }) => `${asText ? '->>' : '->'}${JSON.stringify(key)}`).join('');

const UUID_BYTES = 16;
const POSITION_BYTES = 4;

/** Keys from their packed form: base64 of the concatenated bytes of the uuids. */
function unpackedKeys(packed: string): string[] {
  const hex = Buffer.from(packed, 'base64').toString('hex');
  return Array.from({ length: hex.length / (UUID_BYTES * 2) }, (_, index) =>
    hex.slice(index * UUID_BYTES * 2, (index + 1) * UUID_BYTES * 2),
  );
}

/** The number of keys that are packed in a text. */
export const packedCount = (packed: string): number =>
  Math.floor(Buffer.byteLength(packed, 'base64') / UUID_BYTES);

function positionsOf({ keys, positions }: { keys: string; positions: string }): string {
  const bytes = Buffer.from(positions, 'base64');
  const members = unpackedKeys(keys).map(
    (hex, index) => `"${hyphenated(hex)}":${bytes.readInt32BE(index * POSITION_BYTES)}`,
  );
  return `{${members.join(',')}}`;
}

const hyphenated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
