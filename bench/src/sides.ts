// Who is measured: the product, and the bare server in its ways to write.

import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@practice/dev';
import type { Client } from 'pg';
import { FREE_BEGINS } from './calendar.js';
import type { Side } from './measurement.js';
import { askingBare, askingProduct } from './requests.js';
import { createRequests } from './scenarios.js';
import type { Practice } from './seed/seed.js';
import type { Sizes } from './sizes.js';
import type { BareServer } from './yardstick/bare.js';

export interface SidesInput {
  readonly stack: Stack;
  readonly practices: readonly Practice[];
  readonly sizes: Sizes;
  readonly bare: BareServer;
  readonly admin: Client;
}

const RELAYED_WITHIN_MS = 60_000;

/** The product first. */
export function sidesOf({ stack, practices, sizes, bare, admin }: SidesInput): Side[] {
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
      settled: () => untilRelayed(admin),
    },
    bareSide('bare', 'logged'),
    bareSide('plain', 'plain'),
  ];
}

/** Until every event is on the bus, so that the next measurement does not pay for this one. */
async function untilRelayed(admin: Client): Promise<void> {
  const deadline = Date.now() + RELAYED_WITHIN_MS;
  for (;;) {
    const { rows } = await admin.query<{ waits: boolean }>(
      'SELECT EXISTS (SELECT FROM scheduling.outbox) AS waits',
    );
    if (rows[0]?.waits !== true) return;
    if (Date.now() > deadline) throw new Error('the relay does not catch up');
    await pause(50);
  }
}
