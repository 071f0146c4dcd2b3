// Whether one busy practice slows others down: calm practices at an even pace, first without and then with a practice
// that sends requests as fast as it gets responses.

import type { Stack } from '@practice/dev';
import { FREE_BEGINS } from './calendar.js';
import { startLoad } from './load/load.js';
import type { HttpRequest, LoadResult, Pace } from './load/protocol.js';
import type { Bench } from './measurement.js';
import { askingProduct } from './requests.js';
import { createRequests } from './scenarios.js';
import type { Practice } from './seed/seed.js';
import type { Flood } from './sizes.js';

/** How calm practices were answered, in milliseconds, and the one that flooded, in answers a second. */
export interface FloodResult {
  readonly alone: Latency;
  readonly beside: Latency;
  readonly hotPerSecond: number;
}

type Latency = Pick<LoadResult, 'p50' | 'p99'>;

export interface FloodInput {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
  readonly flood: Flood;
}

/** More bookings than one of the flood's connections gets answered in a second. */
const MOST_BOOKINGS_PER_SECOND = 100;
/** The flood begins first and ends last: a second each. */
const MARGIN_SECONDS = 1;

/** @returns once both measurements are done; the flood's load comes from a process of its own */
export async function measureFlood(bench: Bench, input: FloodInput): Promise<FloodResult> {
  const { warmupSeconds } = bench.sizes;
  const { stack, practices, flood } = input;
  const { origin } = new URL(stack.baseUrl);
  const requestsOf = (some: readonly Practice[]) =>
    createRequests(askingProduct(stack.apikey), {
      ...{ practices: some, sizes: bench.sizes, freeFrom: FREE_BEGINS.flood },
    });
  const calm = requestsOf(practices.slice(1, 1 + flood.calm));
  const calmOrder = (): Pace => {
    const { perSecond, seconds } = flood;
    const total = Math.ceil(perSecond * (warmupSeconds + seconds));
    const list = threeToOne(calm.of('day', total), calm.of('book', Math.ceil(total / 4)), total);
    return { kind: 'pace', origin, list, perSecond, warmupSeconds, seconds };
  };
  const alone = await bench.load.run(calmOrder(), () => undefined);

  const hot = requestsOf(practices.slice(0, 1));
  const seconds = warmupSeconds + flood.seconds + 2 * MARGIN_SECONDS;
  const bookings = Math.ceil(MOST_BOOKINGS_PER_SECOND * (MARGIN_SECONDS + seconds));
  const lists = Array.from({ length: flood.connections }, (_, index) =>
    hot.of(index % 2 === 0 ? 'day' : 'book', bookings),
  );
  const order = calmOrder();
  const load = startLoad();
  try {
    let beside: Promise<Latency> | undefined;
    const { completed } = await load.run(
      { kind: 'saturate', origin, lists, warmupSeconds: MARGIN_SECONDS, seconds },
      () => (beside = bench.load.run(order, () => undefined)),
    );
    return { alone, beside: await (beside as Promise<Latency>), hotPerSecond: completed / seconds };
  } finally {
    load.stop();
  }
}

/** Three reads to each booking. */
const threeToOne = (
  reads: readonly HttpRequest[],
  bookings: readonly HttpRequest[],
  total: number,
): HttpRequest[] =>
  Array.from({ length: total }, (_, index) =>
    index % 4 === 3 ? bookings[(index - 3) / 4] : reads[index % reads.length],
  ).flatMap((request) => request ?? []);
