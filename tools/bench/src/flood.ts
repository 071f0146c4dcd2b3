// Whether one busy practice slows others down: calm practices at an even pace, first without and then with a practice
// that sends requests as fast as it gets responses.

import type { Stack } from '@practice/start';
import { FREE_BEGINS } from './calendar.js';
import { isHeavy } from './heavy.js';
import type { HeavyKind, HeavyRequests } from './heavy.js';
import { startLoad } from './load/load.js';
import type { HttpRequest, LoadResult, Pace } from './load/protocol.js';
import type { Bench } from './measurement.js';
import { askingProduct } from './requests.js';
import type { Asking } from './requests.js';
import { createRequests } from './scenarios.js';
import type { Requests } from './scenarios.js';
import type { Practice } from './seed/seed.js';

export interface Flood {
  /** How many practices are calm, and what they ask together in a second. */
  readonly calm: number;
  readonly perSecond: number;
  /** Connections of the one that floods, each with one request under way. */
  readonly connections: number;
  readonly seconds: number;
}

interface FloodInput {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
  readonly flood: Flood;
  readonly heavy: HeavyRequests;
}

/** More bookings than one of the flood's connections gets answered in a second. */
const MOST_BOOKINGS_PER_SECOND = 100;
/** The flood begins first and ends last: a second each. */
const MARGIN_SECONDS = 1;

/** How the product refuses a practice that asks for too much: its time is used up, its queue is full, or one read takes too long. */
const REFUSALS = [429, 503, 504];

/** The requests of the practice that floods. */
export type FloodKind = 'reads' | 'writes' | 'expensive' | HeavyKind;

/**
 * Measures the p99 of calm practices, in milliseconds: without a flood, and beside one, whose load comes from a process of its own.
 * Measurements can be repeated: no appointment is booked twice.
 */
export function createFlood(bench: Bench, { stack, practices, flood, heavy }: FloodInput) {
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
    return { kind: 'pace', origin, list, perSecond, warmupSeconds, seconds };
  };
  const alone = async (): Promise<number> => (await bench.load.ask(calmOrder())).p99;

  const seconds = warmupSeconds + flood.seconds + 2 * MARGIN_SECONDS;
  const requests = hotRequests(asking, requestsOf(practices.slice(0, 1)), {
    practice: practices[0] as Practice,
    seconds,
    heavy,
  });
  const beside = async (kind: FloodKind): Promise<number> => {
    const lists = Array.from({ length: flood.connections }, (_, index) => requests(kind, index));
    const order = calmOrder();
    const load = startLoad();
    try {
      let measured: Promise<LoadResult> | undefined;
      await load.ask(
        { kind: 'saturate', origin, lists, refusals: REFUSALS, warmupSeconds: MARGIN_SECONDS, seconds },
        () => (measured = bench.load.ask(order)),
      );
      return (await (measured as unknown as Promise<LoadResult>)).p99;
    } finally {
      load.stop();
    }
  };
  return { alone, beside };
}

/** The requests of one connection of the practice that floods. */
function hotRequests(
  asking: Asking,
  hot: Requests,
  { practice, seconds, heavy }: { practice: Practice; seconds: number; heavy: HeavyRequests },
): (kind: FloodKind, index: number) => HttpRequest[] {
  const expensive = expensiveReads.map((url) =>
    asking.read(practice, { name: 'expensive', url: encodeURI(url) }),
  );
  const bookings = Math.ceil(MOST_BOOKINGS_PER_SECOND * (MARGIN_SECONDS + seconds));
  return (kind, index) => {
    if (isHeavy(kind)) return [...heavy[kind].slice(index % heavy[kind].length), ...heavy[kind]];
    if (kind === 'expensive') return [...expensive.slice(index % 3), ...expensive];
    return hot.of(kind === 'reads' ? 'day' : 'book', bookings);
  };
}

/** Reads that look at every appointment of the practice with the most expensive patterns that are accepted. */
const expensiveReads: readonly string[] = [
  'appointments?select=id&notes=imatch.([a-z ]*[aeiou][a-z]{40})$',
  `appointments?select=id&notes=like.${'*e'.repeat(12)}*z*`,
  `appointments?select=id&or=(${Array.from({ length: 40 }, (_, index) => `notes.match."(a|b)*c[a-z ]{${index + 20}}x"`).join()})`,
];

/** Three reads to each booking. */
const threeToOne = (
  reads: readonly HttpRequest[],
  bookings: readonly HttpRequest[],
  total: number,
): HttpRequest[] =>
  Array.from({ length: total }, (_, index) =>
    index % 4 === 3 ? bookings[(index - 3) / 4] : reads[index % reads.length],
  ).flatMap((request) => request ?? []);
