import { invoices, type Invoice, type InvoiceItem } from '@practice/contracts';
import { dependent, type DependentCommand } from '@practice/resource';
import { sumOf } from '../money.js';

type Totals = Pick<Invoice, 'subtotal' | 'tax_total' | 'total'>;

/** The sums of the items of an invoice. */
export const totalOf = (items: readonly InvoiceItem[]): Totals => ({
  subtotal: sumOf(items.map(({ amount }) => amount)),
  tax_total: sumOf(items.map(({ tax_amount: tax }) => tax)),
  total: sumOf(items.map(({ total }) => total)),
});

/** The change of a draft whose items are these now. */
export function totalled(draft: Invoice, items: readonly InvoiceItem[]): DependentCommand[] {
  const changes = totalOf(items);
  const isSame = (Object.keys(changes) as (keyof Totals)[]).every((name) => changes[name] === draft[name]);
  return isSame ? [] : [dependent(invoices, draft.id, { kind: 'change', changes })];
}
