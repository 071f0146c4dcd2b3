import type { Stack } from '@practice/start';
import { FREE_BEGINS } from '../calendar.js';
import { paced, saturated, type Bench, type Side } from '../measurement.js';
import { askingProduct } from '../requests.js';
import { createRequests } from '../scenarios.js';
import type { Practice } from '../seed/seed.js';

export interface MixedLoad {
  /** Requests a second: half of what the product answers at most. */
  readonly perSecond: number;
  /** Does something beside the load. */
  readonly beside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Finds out how much of the mixed load the product answers at most. */
export async function startMixedLoad(
  bench: Bench,
  { stack, practices }: { readonly stack: Stack; readonly practices: readonly Practice[] },
): Promise<MixedLoad> {
  const side: Side = {
    name: 'product',
    origin: new URL(stack.baseUrl).origin,
    requests: createRequests(askingProduct(stack.apikey), {
      practices,
      sizes: bench.sizes,
      freeFrom: FREE_BEGINS.plain,
    }),
    processes: stack.processes,
    settled: () => Promise.resolve(),
  };
  const perSecond = (await saturated(bench, side, 'mixed')).perSecond / 2;
  const beside = async <T>(work: () => Promise<T>): Promise<T> => {
    let isOver = false;
    const load = async (): Promise<void> => {
      while (!isOver) await paced(bench, side, { scenario: 'mixed', perSecond });
    };
    const [result] = await Promise.all([work().finally(() => (isOver = true)), load()]);
    return result;
  };
  return { perSecond, beside };
}
