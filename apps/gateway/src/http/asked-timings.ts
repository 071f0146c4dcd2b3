// The durations of a request, for callers who ask for them by `Prefer: metrics=timings`. Only requests for records have them, and
// only once the caller is known: exact durations of sign-ins and refusals would help to guess (ADR 0046).

import { TIMINGS } from '@practice/query';
import type { Authenticated } from './request.js';
import { Timings } from './timings.js';

const ASKED = new RegExp(`(?:^|,)\\s*${TIMINGS}\\s*(?:,|$)`);

/** Begins to note durations if the caller of a request for records asks for them. */
export function beginTimings({ request, identity, arrivedAt }: Authenticated): Timings | null {
  const { prefer } = request.headers;
  if (prefer === undefined || identity === null) return null;
  if (!ASKED.test(String(prefer)) || request.raw.url?.startsWith('/rest/v1/') !== true) return null;
  const timings = new Timings(arrivedAt);
  timings.end('auth');
  return timings;
}

/**
 * Names and values in turn. `Timing-Allow-Origin` lets the browser's Performance API show them to a page.
 * @param origin that may read the response
 */
export const timingHeaders = (timings: Timings, origin: string | undefined): string[] => [
  'Server-Timing',
  timings.toString(),
  ...(origin === undefined ? [] : ['Timing-Allow-Origin', origin]),
];
