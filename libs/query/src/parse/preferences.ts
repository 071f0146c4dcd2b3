// The Prefer header (RFC 7240), with the preferences of the dialect.

import { isTimeZone } from '@practice/resource';

/** The preferences that are one of some words, each with its words. */
const choices = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
  /** The gateway's durations, in the response. Sent on to the services too, so that a read with it has its own text, see ADR 0027. */
  metrics: ['timings'],
  /** Where a read may come from; null is the primary. */
  read: ['replica'],
  /** Where the change of a write is named, apart from the header. */
  changeId: ['body'],
  /** How the pages of a read follow each other; null is by offset. */
  pages: ['cursor'],
} as const;

type Chosen = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] | null };

/** The caller's preferences; null if the header does not contain one. */
export interface Preferences extends Chosen {
  readonly timezone: string | null;
  readonly maxAffected: number | null;
  readonly minAffected: number | null;
  /** The text of an instant; once the request is parsed, the instant that it reads, which a parameter may name as well. */
  readonly asOf: string | null;
  /** Unknown tokens; an error with `handling=strict`. */
  readonly unknown: readonly string[];
}

export const noPreferences: Preferences = {
  ...(Object.fromEntries(Object.keys(choices).map((name) => [name, null])) as Chosen),
  timezone: null,
  maxAffected: null,
  minAffected: null,
  asOf: null,
  unknown: [],
};

/** The preference for the durations of a request, by the name that PostgREST has proposed for it. */
export const TIMINGS = 'metrics=timings';

/** Each word as it is in the header, such as `change-id=body`, with its preference. */
const words: ReadonlyMap<string, Partial<Preferences>> = new Map(
  Object.entries(choices).flatMap(([name, values]) =>
    values.map((word) => [`${name.replace('Id', '-id')}=${word}`, { [name]: word }] as const),
  ),
);

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

/** The beginnings of preferences that have a value of the caller. */
const TIMEZONE = 'timezone=';
const MAX_AFFECTED = 'max-affected=';
const MIN_AFFECTED = 'min-affected=';
const INSTANT = 'as-of=';

const unquoted = (text: string | null): string | null => text?.replace(/^"(.*)"$/, '$1') ?? null;

/** A preference for anything but an integer has no effect. */
const integerIn = (text: string | null): number | null =>
  text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
