import { processTime, type Payer, type Steps } from '@practice/core';
import type { TenantDatabase, Transaction } from '@practice/storage';
import type { Load, Resumable } from './resumable.js';
import { loadPlanOf } from './load.js';

/**
 * Carries out resumable work at once, in a transaction that has no other writes.
 * @throws {Rejection} what the work throws
 */
export async function carriedOut<T>(
  work: Resumable<T>,
  transaction: Transaction,
  { service, reading, payer }: Pick<TenantDatabase, 'service' | 'reading'> & { readonly payer: Payer },
): Promise<T> {
  for (;;) {
    const next = await processTime.run(payer, untilLoads(work));
    if (next.kind === 'done') return next.value;
    const plan = loadPlanOf(service, next.loads, { readMs: reading.statementMs, ms: undefined });
    await processTime.run(payer, plan.keep(await transaction.load(plan.statements)));
  }
}

type Next<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'loads'; readonly loads: readonly Load[] };

function* untilLoads<T>(work: Resumable<T>): Steps<Next<T>> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return { kind: 'done', value };
    if (value === undefined) yield;
    else if (value === 'retry unbatched' || typeof value === 'function')
      throw new Error('a transaction without other writes cannot do this for a part of its work');
    else if (value !== 'turn') return { kind: 'loads', loads: value };
  }
}
