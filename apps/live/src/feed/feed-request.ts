// The parameters of a call of the feed, from its query and headers.

import { serviceNames } from '@practice/contracts';
import { problemFor, reject, type Problem } from '@practice/core';
import { parseCursor, type FeedEvent } from '@practice/feed';
import Negotiator from 'negotiator';
import type { LiveRequest } from '../endpoint.js';

export const JSON_TYPE = 'application/json';
export const STREAM_TYPE = 'text/event-stream';
const TYPES = [JSON_TYPE, STREAM_TYPE];

export type FeedRequest = ReturnType<typeof readFeedRequest>;

const PARAMETERS = ['cursor', 'limit', 'wait', 'service', 'type', 'subject', 'apikey'];
const MOST_EVENTS = 1000;
const FEWER_EVENTS = 100;
const LONGEST_WAIT_SECONDS = 60;

const wrong = (message: string, hint: string | null = null): Problem =>
  problemFor('PM400', { message, hint });
const notAcceptable: Problem = problemFor('PGRST107', {
  message: `None of these media types are available: send Accept with ${TYPES.join(' or ')}`,
});

/** @throws {Rejection} 400 for parameters that do not exist, are repeated or have a wrong value; 406 for other media types */
export function readFeedRequest({ headers, url }: LiveRequest) {
  const given = parametersOf(url.searchParams);
  const cursor = String(headers['last-event-id'] ?? given.get('cursor') ?? '');
  const services = listOf(given.get('service'));
  const unknown = services?.find((service) => !serviceNames.includes(service));
  if (unknown !== undefined)
    reject(wrong('The parameter service names no service', `The services are ${serviceNames.join(', ')}.`));
  const types = listOf(given.get('type'));
  const subject = given.get('subject')?.toLowerCase();
  return {
    type: typeOf(headers.accept),
    /** `now`: after the last event. */
    cursor: cursor === 'now' ? ('now' as const) : cursor === '' ? {} : parseCursor(cursor),
    limit: wholeIn(given, 'limit', [1, MOST_EVENTS]) ?? FEWER_EVENTS,
    waitMs: (wholeIn(given, 'wait', [0, LONGEST_WAIT_SECONDS]) ?? 0) * 1000,
    /** Whether the filters select an event. */
    selects: ({ service, type, message }: FeedEvent): boolean =>
      (services?.includes(service) ?? true) &&
      (types?.includes(type) ?? true) &&
      (subject === undefined || message.subject === subject),
  };
}

function parametersOf(search: URLSearchParams): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const [name, value] of search) {
    if (!PARAMETERS.includes(name))
      reject(
        wrong('The query has a parameter that the feed does not know', `It knows ${PARAMETERS.join(', ')}.`),
      );
    if (given.has(name)) reject(wrong(`The parameter ${name} is repeated`, 'Separate values by commas.'));
    given.set(name, value);
  }
  return given;
}

const listOf = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').map((one) => one.trim());

function wholeIn(
  given: ReadonlyMap<string, string>,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most))
    reject(wrong(`The parameter ${name} must be a whole number from ${least} to ${most}`));
  return value;
}

function typeOf(accept: string | undefined): typeof JSON_TYPE | typeof STREAM_TYPE {
  if (accept === undefined || accept.trim() === '') return JSON_TYPE;
  const chosen = new Negotiator({ headers: { accept } }).mediaType(TYPES);
  return chosen === JSON_TYPE || chosen === STREAM_TYPE ? chosen : reject(notAcceptable);
}
