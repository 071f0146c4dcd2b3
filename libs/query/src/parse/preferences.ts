// The Prefer header (RFC 7240), with the preferences of the dialect.

import { isTimeZone } from '@practice/resource';

/** The values of each preference that has only these. */
const CHOICES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
  /** The response has the gateway's durations. Also sent to the services, so that a read with it has a different text, see ADR 0027. */
  metrics: ['timings'],
  /** Where a read may come from; null is the primary. */
  read: ['replica'],
  /** Where the response to a write has the id of the change, in addition to the header. */
  'change-id': ['body'],
  /** How a read is paged; null means by offset. */
  pages: ['cursor'],
} as const;

type Choices = { readonly [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] | null };

/** The caller's preferences; null for a preference that the header does not contain. */
export interface Preferences extends Choices {
  readonly timezone: string | null;
  readonly maxAffected: number | null;
  readonly minAffected: number | null;
  /** The instant as the header has it. In a parsed request, the canonical instant of the read, which may also come from `as_of`. */
  readonly asOf: string | null;
  /** Unknown tokens; an error with `handling=strict`. */
  readonly unknown: readonly string[];
}

/** The preference for the durations of a request. PostgREST has proposed this name. */
export const TIMINGS = 'metrics=timings';

const NO_CHOICES = Object.fromEntries(Object.keys(CHOICES).map((name) => [name, null])) as unknown as Choices;

const words: ReadonlyMap<string, object> = new Map(
  Object.entries<readonly string[]>(CHOICES).flatMap(([name, values]) =>
    values.map((value) => [`${name}=${value}`, { [name]: value }] as const),
  ),
);

/** Parses the header. The first of two values for one preference applies. Tokens are case-sensitive. */
export function parsePreferences(header = ''): Preferences {
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
    timezone,
    maxAffected: integerIn(valueOf(MAX_AFFECTED)),
    minAffected: integerIn(valueOf(MIN_AFFECTED)),
    asOf: unquoted(valueOf(INSTANT)),
    unknown: tokens.filter((token) => !isKnown(token)),
    // Last: on Node 20, a new member after a spread is slow.
    ...tokens.reduceRight<Choices>((later, token) => ({ ...later, ...words.get(token) }), NO_CHOICES),
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
