import type { Invoice, InvoiceItem } from '@practice/contracts';
import { sumOf } from '@practice/core';

type Totals = Pick<Invoice, 'subtotal' | 'tax_total' | 'total' | 'practitioner_ids'>;

/** The sums of the items of an invoice, and the members who held its appointments. */
export const totalOf = (items: readonly InvoiceItem[]): Totals => ({
  subtotal: sumOf(items.map(({ amount }) => amount)),
  tax_total: sumOf(items.map(({ tax_amount: tax }) => tax)),
  total: sumOf(items.map(({ total }) => total)),
  practitioner_ids: practitionersOf(items),
});

function practitionersOf(items: readonly InvoiceItem[]): readonly string[] | null {
  const ids = new Set(items.flatMap(({ practitioner_id: id }) => id ?? []));
  return ids.size === 0 ? null : [...ids].toSorted();
}
