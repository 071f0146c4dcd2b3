// Whether one busy practice slows others down: calm practices at an even pace, first without and then with a practice
// that sends requests as fast as it gets responses.

import { FREE_BEGINS } from './calendar.js';
import { startLoad } from './load/load.js';
import type { LoadResult, Pace, Saturate } from './load/protocol.js';
import type { Bench } from './measurement.js';
import { askingProduct } from './requests.js';
import { createRequests } from './scenarios.js';
import type { Requests } from './scenarios.js';
import type { Practice } from './seed/seed.js';
import type { Flood } from './sizes.js';

/** How calm practices were answered, in milliseconds, and the one that flooded, in answers a second. */
export interface FloodResult {
  readonly alone: Latency;
  readonly beside: Latency;
  readonly hotPerSecond: number;
}

type Latency = Pick<LoadResult['milliseconds'], 'p50' | 'p99'>;

export interface FloodInput {
  readonly origin: string;
  readonly apikey: string;
  readonly practices: readonly Practice[];
  readonly flood: Flood;
}

/** More bookings than one of the flood's connections gets answered in a second. */
const MOST_BOOKINGS_PER_SECOND = 100;
/** The flood begins first and ends last: a second each. */
const MARGIN_SECONDS = 1;

/** @returns once both measurements are done; the flood's load comes from a process of its own */
export async function measureFlood(bench: Bench, input: FloodInput): Promise<FloodResult> {
  const { alone, beside, hot } = ordersOf(bench, input);
  const calmLoad = async (order: Pace): Promise<Latency> =>
    (await bench.load.run(order, () => undefined)).milliseconds;
  const aloneAnswered = await calmLoad(alone);
  const load = startLoad();
  try {
    let calm: Promise<Latency> | undefined;
    const { completed, seconds } = await load.run(hot, () => {
      calm = calmLoad(beside);
    });
    return {
      alone: aloneAnswered,
      beside: await (calm as Promise<Latency>),
      hotPerSecond: completed / seconds,
    };
  } finally {
    load.stop();
  }
}

function ordersOf(
  { sizes }: Bench,
  { origin, apikey, practices, flood }: FloodInput,
): { readonly alone: Pace; readonly beside: Pace; readonly hot: Saturate } {
  const { calm, perSecond, connections, seconds } = flood;
  const { warmupSeconds } = sizes;
  const requestsOf = (some: readonly Practice[]): Requests =>
    createRequests(askingProduct(apikey), { practices: some, sizes, freeFrom: FREE_BEGINS.flood });
  const calmRequests = requestsOf(practices.slice(1, 1 + calm));
  const pace = (): Pace => {
    const total = Math.ceil(perSecond * (warmupSeconds + seconds));
    const reads = calmRequests.of('day', total);
    const bookings = calmRequests.of('book', Math.ceil(total / 4));
    // Three reads to each booking.
    const list = Array.from({ length: total }, (_, index) =>
      index % 4 === 3 ? bookings[(index - 3) / 4] : reads[index % reads.length],
    ).flatMap((request) => request ?? []);
    return { kind: 'pace', origin, list, perSecond, warmupSeconds, seconds };
  };
  const hotRequests = requestsOf(practices.slice(0, 1));
  const hotSeconds = warmupSeconds + seconds + 2 * MARGIN_SECONDS;
  const bookings = Math.ceil(MOST_BOOKINGS_PER_SECOND * (MARGIN_SECONDS + hotSeconds));
  const lists = Array.from({ length: connections }, (_, index) =>
    hotRequests.of(index % 2 === 0 ? 'day' : 'book', bookings),
  );
  return {
    alone: pace(),
    beside: pace(),
    hot: { kind: 'saturate', origin, lists, warmupSeconds: MARGIN_SECONDS, seconds: hotSeconds },
  };
}
