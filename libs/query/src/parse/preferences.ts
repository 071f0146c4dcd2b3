// The Prefer header (RFC 7240), with the preferences of the dialect.

import { isTimeZone } from '@practice/resource';

/** The caller's preferences; null for a preference that the header does not contain. */
export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly missing: 'default' | 'null' | null;
  readonly return: 'representation' | 'minimal' | 'headers-only' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  readonly tx: 'commit' | 'rollback' | null;
  readonly handling: 'strict' | 'lenient' | null;
  readonly timezone: string | null;
  readonly maxAffected: number | null;
  readonly minAffected: number | null;
  /** The instant as the header has it. In a parsed request, the canonical instant of the read, which may also come from `as_of`. */
  readonly asOf: string | null;
  /** The response has the gateway's durations. Also sent to the services, so that a read with it has a different text, see ADR 0027. */
  readonly metrics: 'timings' | null;
  /** Where a read may come from; null is the primary. */
  readonly read: 'replica' | null;
  /** Where the response to a write has the id of the change, in addition to the header. */
  readonly changeId: 'body' | null;
  /** How a read is paged; null means by offset. */
  readonly pages: 'cursor' | null;
  /** Unknown tokens; an error with `handling=strict`. */
  readonly unknown: readonly string[];
}

export const noPreferences: Preferences = {
  resolution: null,
  missing: null,
  return: null,
  count: null,
  tx: null,
  handling: null,
  timezone: null,
  maxAffected: null,
  minAffected: null,
  asOf: null,
  metrics: null,
  read: null,
  changeId: null,
  pages: null,
  unknown: [],
};

/** The preference for the durations of a request. PostgREST has proposed this name. */
export const TIMINGS = 'metrics=timings';

const words: ReadonlyMap<string, Partial<Preferences>> = new Map<string, Partial<Preferences>>([
  ['resolution=merge-duplicates', { resolution: 'merge-duplicates' }],
  ['resolution=ignore-duplicates', { resolution: 'ignore-duplicates' }],
  ['missing=default', { missing: 'default' }],
  ['missing=null', { missing: 'null' }],
  ['return=representation', { return: 'representation' }],
  ['return=minimal', { return: 'minimal' }],
  ['return=headers-only', { return: 'headers-only' }],
  ['count=exact', { count: 'exact' }],
  ['count=planned', { count: 'planned' }],
  ['count=estimated', { count: 'estimated' }],
  ['tx=commit', { tx: 'commit' }],
  ['tx=rollback', { tx: 'rollback' }],
  ['handling=strict', { handling: 'strict' }],
  ['handling=lenient', { handling: 'lenient' }],
  [TIMINGS, { metrics: 'timings' }],
  ['read=replica', { read: 'replica' }],
  ['change-id=body', { changeId: 'body' }],
  ['pages=cursor', { pages: 'cursor' }],
]);

/** Parses the header. The first of two values for one preference applies. Tokens are case-sensitive. */
export function parsePreferences(header: string | undefined): Preferences {
  if (header === undefined) return noPreferences;
  const tokens = header
    .split(',')
    .map((part) => part.trim())
    .filter((token) => token !== '');
  const valueOf = (name: string): string | null =>
    tokens.find((token) => token.startsWith(name))?.slice(name.length) ?? null;
  const zone = valueOf(TIMEZONE);
  const timezone = zone !== null && isTimeZone(zone) ? zone : null;
  const isKnown = (token: string): boolean =>
    words.has(token) ||
    token.startsWith(MAX_AFFECTED) ||
    token.startsWith(MIN_AFFECTED) ||
    token.startsWith(INSTANT) ||
    (token.startsWith(TIMEZONE) && timezone !== null);
  return {
    ...tokens.reduceRight<Preferences>((later, token) => ({ ...later, ...words.get(token) }), noPreferences),
    timezone,
    maxAffected: integerIn(valueOf(MAX_AFFECTED)),
    minAffected: integerIn(valueOf(MIN_AFFECTED)),
    asOf: unquoted(valueOf(INSTANT)),
    unknown: tokens.filter((token) => !isKnown(token)),
  };
}

/** The beginnings of preferences with a free value. */
const TIMEZONE = 'timezone=';
const MAX_AFFECTED = 'max-affected=';
const MIN_AFFECTED = 'min-affected=';
const INSTANT = 'as-of=';

const unquoted = (text: string | null): string | null => text?.replace(/^"(.*)"$/, '$1') ?? null;

/** A preference for anything but an integer has no effect. */
const integerIn = (text: string | null): number | null =>
  text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
