// Measures whether one busy practice slows others down: calm practices send requests at an even pace, first without and then beside a
// practice that sends requests as fast as it gets responses.

import type { Stack } from '@practice/start';
import { FREE_BEGINS } from './calendar.js';
import type { HttpRequest, Pace } from './load/protocol.js';
import { saturate } from './load/wrk.js';
import type { Bench } from './measurement.js';
import type { Read } from './reads.js';
import { askingProduct } from './requests.js';
import { setTimeout as pause } from 'node:timers/promises';
import { createRequests } from './scenarios.js';
import type { Practice } from './seed/seed.js';

/** The number of calm practices and their requests per second in all, and the connections of the practice that floods. */
export const fullFlood = { calm: 20, perSecond: 60, connections: 64, seconds: 6 };
export const quickFlood = { ...fullFlood, calm: 8, seconds: 2 };

interface FloodInput {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
  readonly flood: typeof fullFlood;
}

/** More bookings than the flood gets answered in a second. */
const MOST_BOOKINGS_PER_SECOND = 3_000;
/** The flood begins a second before the calm requests, and ends a second after them. */
const MARGIN_SECONDS = 1;

/** The statuses that refuse a practice that asks for too much: its time is used up, its queue is full, or one read takes too long. */
const REFUSALS = [429, 503, 504];

/** The requests of the practice that floods. */
export type FloodKind = 'reads' | 'writes' | 'expensive';

/**
 * Measures the p99 of calm practices, in milliseconds: without a flood, and beside one.
 * Measurements can be repeated: no appointment is booked twice.
 */
export function createFlood(bench: Bench, { stack, practices, flood }: FloodInput) {
  const { warmupSeconds } = bench.sizes;
  const { origin } = new URL(stack.baseUrl);
  const asking = askingProduct(stack.apikey);
  const requestsOf = (some: readonly Practice[]) =>
    createRequests(asking, { practices: some, sizes: bench.sizes, freeFrom: FREE_BEGINS.flood });
  const calm = requestsOf(practices.slice(1, 1 + flood.calm));
  const calmOrder = (): Pace => {
    const { perSecond, seconds } = flood;
    const total = Math.ceil(perSecond * (warmupSeconds + seconds));
    const list = threeToOne(calm.of('day', total), calm.of('book', Math.ceil(total / 4)), total);
    return { origin, list, perSecond, warmupSeconds, seconds };
  };
  const alone = async (): Promise<number> => (await bench.pacer.ask(calmOrder())).p99;

  const seconds = warmupSeconds + flood.seconds + 2 * MARGIN_SECONDS;
  const hot = requestsOf(practices.slice(0, 1));
  const requests = (kind: FloodKind): readonly HttpRequest[] => {
    if (kind === 'expensive')
      return expensiveReads.map((read) => asking.read(practices[0] as Practice, read));
    return hot.of(kind === 'reads' ? 'day' : 'book', Math.ceil(MOST_BOOKINGS_PER_SECOND * seconds));
  };
  const beside = async (kind: FloodKind): Promise<number> => {
    const { connections } = flood;
    const order = { origin, connections, seconds, refusals: REFUSALS, signal: bench.signal };
    const flooding = saturate({ ...order, requests: requests(kind) });
    const calmly = pause(MARGIN_SECONDS * 1000).then(() => bench.pacer.ask(calmOrder()));
    const [{ p99 }] = await Promise.all([calmly, flooding]);
    return p99;
  };
  return { alone, beside };
}

/** Reads that look at every appointment of the practice with the most expensive patterns that are accepted. */
const expensiveReads: readonly Read[] = [
  'appointments?select=id&notes=imatch.([a-z ]*[aeiou][a-z]{40})$',
  `appointments?select=id&notes=like.${'*e'.repeat(12)}*z*`,
  `appointments?select=id&or=(${Array.from({ length: 40 }, (_, index) => `notes.match."(a|b)*c[a-z ]{${index + 20}}x"`).join()})`,
].map((url) => ({ name: 'expensive', url: encodeURI(url) }));

const threeToOne = (
  reads: readonly HttpRequest[],
  bookings: readonly HttpRequest[],
  total: number,
): HttpRequest[] =>
  Array.from({ length: total }, (_, index) =>
    index % 4 === 3 ? bookings[(index - 3) / 4] : reads[index % reads.length],
  ).flatMap((request) => request ?? []);
