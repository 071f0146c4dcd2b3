import type { Stack } from '@practice/start';
import { FREE_BEGINS } from '../calendar.js';
import { paced, saturated, type Bench } from '../measurement.js';
import { productSide } from '../product-side.js';
import type { Practice } from '../seed/seed.js';

/** Measures how much of the mixed load the product answers at most. The load has half as many requests a second. */
export async function startMixedLoad(
  bench: Bench,
  { stack, practices }: { readonly stack: Stack; readonly practices: readonly Practice[] },
) {
  const input = { practices, sizes: bench.sizes, freeFrom: FREE_BEGINS.plain };
  const side = productSide(stack, 'product', input);
  const perSecond = (await saturated(bench, side, 'mixed')).perSecond / 2;
  /** Runs `work` while the load runs. */
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

export type MixedLoad = Awaited<ReturnType<typeof startMixedLoad>>;
