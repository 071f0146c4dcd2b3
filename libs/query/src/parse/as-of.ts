// `as_of`: the instant whose state a read shows, as a parameter of the URL or as a preference.

import { problemFor, reject, type Problem } from '@practice/core';
import { kinds, type FunctionDefinition } from '@practice/resource';
import type { Preferences } from './preferences.js';
import type { Parameter } from './query-string.js';

/** The name of the parameter. */
export const AS_OF = 'as_of';

/** The parts of a request that matter for `as_of`. */
export interface AsOfTerms {
  readonly isRead: boolean;
  readonly parameters: readonly Parameter[];
  readonly preferences: Preferences;
  /** The clock, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The instant that a request names, in the canonical form of timestamps; null for the present. A local time is in the preferred
 * time zone, or in UTC without a preference.
 * @throws {Rejection} 22007, 22008 or 22009 for a malformed instant, PM015 for one that cannot be read
 */
export function asOfOf({ isRead, parameters, preferences, now }: AsOfTerms): string | null {
  const inUrl = parameters.filter(({ key }) => key === AS_OF).map(({ value }) => value);
  const [instant, ...others] = [...inUrl, preferences.asOf]
    .filter((text) => text !== null)
    .map((text) => instantOf(text, preferences.timezone));
  if (instant === undefined) return null;
  if (!isRead) reject(readsOnly);
  if (others.some((other) => other !== instant)) reject(twoInstants);
  if (Date.parse(instant) > now) reject(inTheFuture(instant));
  return instant;
}

/** A `+` that was not percent-encoded has become a space. Only the last space is compared with all the text before it. */
const UNENCODED_PLUS = /(?<=\d) (?=\d\d(?::?\d\d)?$)(?<=T.*)/i;

function instantOf(text: string, timezone: string | null): string {
  const given = text.trim().replace(UNENCODED_PLUS, '+');
  const zoned = timezone === null ? given : kinds.timestamp.inZone?.(given, timezone);
  const parsed = kinds.timestamp.parse(zoned);
  return parsed.ok ? parsed.value : reject({ ...parsed.problem, hint: EXAMPLE });
}

const EXAMPLE = 'An instant is like 2026-11-01T09:00:00Z.';

const notReadable = (details: string, hint: string): Problem => problemFor('PM015', { details, hint });

const readsOnly = notReadable('A write is about the present.', 'Leave as_of out, or send GET or HEAD.');

const twoInstants = notReadable(
  'The request names different instants.',
  'Send one: as the parameter as_of, or as the preference as-of.',
);

const inTheFuture = (instant: string): Problem =>
  notReadable(`${instant} is in the future.`, 'Compare the clock of the client with the Date of a response.');

/**
 * Checks that a call of a function names no instant, since functions read the present. An argument called `as_of` is allowed.
 * @throws {Rejection} PM015
 */
export function checkNoInstant(
  definition: Pick<FunctionDefinition, 'arguments'> | undefined,
  { parameters, preferences }: Pick<AsOfTerms, 'parameters' | 'preferences'>,
): void {
  const isArgument = definition !== undefined && Object.hasOwn(definition.arguments, AS_OF);
  const isNamed = !isArgument && parameters.some(({ key }) => key === AS_OF);
  if (isNamed || preferences.asOf !== null) reject(notOfFunctions);
}

const notOfFunctions = notReadable(
  'A function answers for the present.',
  'Leave as_of out; records and their histories have it.',
);
