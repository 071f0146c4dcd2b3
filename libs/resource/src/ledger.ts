// The ledger of a service. An event is posted as the difference that it makes. So changes, deletions and undos need no rules of
// their own, and entries balance if the contributions balance.

import { amountOf, unitsOf } from '@practice/core';
import type { Columns } from './column.js';
import type { LedgerRules } from './definition-parts.js';
import type { Row } from './row.js';
import type { Difference } from './totals.js';
import { matches } from './where.js';

/** A resource whose records are posted to a ledger. */
interface Booked {
  readonly name: string;
  readonly columns: Columns;
  readonly ledger?: LedgerRules | undefined;
}

/** One line of an event's booking: either the debit or the credit is zero. */
export type LedgerLine = ReturnType<typeof linesOf>[number];

/** The change of a record by one event. */
export interface Booking extends Difference {
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** The balances of a record by account, in cents. Debits are positive. */
export function balancesOf({ ledger }: Booked, row: Row | null): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>();
  if (row === null) return balances;
  for (const { account, where = {}, ...contribution } of ledger?.contributions ?? []) {
    if (!matches(where, row)) continue;
    const [name, sign] = 'debit' in contribution ? [contribution.debit, 1n] : [contribution.credit, -1n];
    const amount = row[name];
    if (typeof amount === 'string')
      balances.set(account, (balances.get(account) ?? 0n) + sign * unitsOf(amount));
  }
  return balances;
}

/** The difference that an event makes, by account, in cents. */
export function differenceOf(resource: Booked, { before, after }: Difference): ReadonlyMap<string, bigint> {
  const [from, to] = [balancesOf(resource, before), balancesOf(resource, after)];
  const accounts = new Set([...from.keys(), ...to.keys()]);
  return new Map(
    [...accounts].map((account) => [account, (to.get(account) ?? 0n) - (from.get(account) ?? 0n)]),
  );
}

/**
 * The lines of an event; none if it changes no balance. A record that gets another day is booked out on the earlier one.
 * @throws {Error} if debits and credits differ, because the definition does not balance
 */
export function linesOf(resource: Booked, booking: Booking) {
  const { before, after } = booking;
  const client = ((after ?? before)?.[resource.ledger?.client ?? ''] ?? null) as string | null;
  const sums = new Map<string, bigint>();
  for (const [row, sign] of [[before, -1n] as const, [after, 1n] as const])
    for (const [account, cents] of balancesOf(resource, row)) {
      const key = `${dayOf(resource, booking, row)} ${account}`;
      sums.set(key, (sums.get(key) ?? 0n) + sign * cents);
    }
  const changed = [...sums].filter(([, cents]) => cents !== 0n);
  if (changed.reduce((sum, [, cents]) => sum + cents, 0n) !== 0n)
    throw new Error(`an event of ${resource.name} does not balance`);
  return changed.map(([key, cents]) => {
    const [date = '', account = ''] = key.split(' ');
    const [debit, credit] = [amountOf(cents > 0n ? cents : 0n), amountOf(cents < 0n ? -cents : 0n)];
    return { account, date, client, debit, credit };
  });
}

/** The day on which a row is booked. Callers cannot change a read-only date, so a later event has its own day. */
function dayOf({ ledger, columns }: Booked, { before, at }: Booking, row: Row | null): string {
  const name = ledger?.date;
  const isLater = name !== undefined && columns[name]?.readOnly === true && before?.[name] != null;
  return name === undefined || isLater ? at.slice(0, 10) : String(row?.[name]);
}
