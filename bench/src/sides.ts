// Who is measured: the product, and the bare server in its ways to write.

import type { Stack } from '@practice/dev';
import { FREE_BEGINS } from './calendar.js';
import type { Side } from './measurement.js';
import type { Quiet } from './quiet.js';
import { askingBare, askingProduct } from './requests.js';
import { createRequests } from './scenarios.js';
import type { Practice } from './seed/seed.js';
import type { Sizes } from './sizes.js';
import type { BareServer } from './baseline/bare.js';

export interface SidesInput {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
  readonly sizes: Sizes;
  readonly bare: BareServer;
  readonly quiet: Quiet;
}

/** The product first. */
export function sidesOf({ stack, practices, sizes, bare, quiet }: SidesInput): Side[] {
  const isPostgres = ({ name }: { name: string }): boolean => name === 'postgres';
  const bareSide = (name: 'bare' | 'plain', way: 'logged' | 'plain'): Side => ({
    name,
    origin: bare.origin,
    requests: createRequests(askingBare(`/${way}`), { practices, sizes, freeFrom: FREE_BEGINS[way] }),
    processes: () => [{ name: 'bare server', pid: bare.pid }, ...stack.processes().filter(isPostgres)],
    settled: () => Promise.resolve(),
  });
  return [
    {
      name: 'product',
      origin: new URL(stack.baseUrl).origin,
      requests: createRequests(askingProduct(stack.apikey), {
        practices,
        sizes,
        freeFrom: FREE_BEGINS.logged,
      }),
      processes: stack.processes,
      settled: quiet.reached,
    },
    bareSide('bare', 'logged'),
    bareSide('plain', 'plain'),
  ];
}
