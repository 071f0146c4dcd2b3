import type { Stack } from '@practice/start';
import { FREE_BEGINS } from '../calendar.js';
import { paced, saturated, type Bench } from '../measurement.js';
import { productSide } from '../product-side.js';
import type { Practice } from '../seed/seed.js';

export interface MixedLoad {
  /** Requests a second: half of what the product answers at most. */
  readonly perSecond: number;
  /** Runs `work` while the load runs. */
  readonly beside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Measures how much of the mixed load the product answers at most. */
export async function startMixedLoad(
  bench: Bench,
  { stack, practices }: { readonly stack: Stack; readonly practices: readonly Practice[] },
): Promise<MixedLoad> {
  const input = { practices, sizes: bench.sizes, freeFrom: FREE_BEGINS.plain };
  const side = productSide(stack, 'product', input);
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
