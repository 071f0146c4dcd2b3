// Amounts, charts, and the steps of invoices.

import type { Tables } from '@practice/client-types';

/** An amount in the currency of the practice. The API stores two decimals in every currency. */
export const money = (amount: number, currency = 'EUR'): string =>
  new Intl.NumberFormat(undefined, { ...TWO_DECIMALS, style: 'currency', currency }).format(amount);

const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The percentage of the highest value, from 0 to 100. */
  readonly percent: number;
}

/** Bars of a chart. Negative values have no height. */
export function barsOf(values: readonly (readonly [label: string, value: number])[]): Bar[] {
  const highest = Math.max(...values.map(([, value]) => value), 0);
  return values.map(([label, value]) => ({
    label,
    value,
    percent: highest === 0 ? 0 : Math.max(0, Math.round((value / highest) * 100)),
  }));
}

/**
 * The invoices that an amount pays, in full or in part.
 * @param open the open invoices in the order in which they are paid
 * @param first the id of an invoice that is paid before the others
 */
export function invoicesPaidBy(
  amount: number,
  open: readonly { readonly id: string; readonly amount_due: number }[],
  first?: string,
): string[] {
  const ordered = open.toSorted((one, other) => Number(other.id === first) - Number(one.id === first));
  let left = centsOf(amount);
  return ordered.flatMap(({ id, amount_due: due }) => {
    const isPaid = left > 0;
    left -= centsOf(due);
    return isPaid ? [id] : [];
  });
}

/** An amount in cents. Only whole numbers have exact differences. */
const centsOf = (amount: number): number => Math.round(amount * 100);

type Invoice = Pick<Tables<'invoices'>, 'status' | 'amount_paid' | 'amount_credited'>;

/** The statuses that a user can give to a finalized invoice, with their labels. */
export function stepsOfInvoice({ status, amount_paid: paid, amount_credited: credited }: Invoice) {
  const steps: (readonly ['void' | 'uncollectible' | 'open', string])[] = [];
  // An invoice of 0 is paid from the start.
  if (['open', 'paid'].includes(status) && paid === 0 && credited === 0) steps.push(['void', 'Void']);
  if (status === 'open') steps.push(['uncollectible', 'Uncollectible']);
  if (status === 'uncollectible') steps.push(['open', 'Open again']);
  return steps;
}
