// The steps of an invoice: a draft, an item, the number, a payment, and its allocation.

import { randomUUID } from 'node:crypto';
import { amountOf, effectOf, insert, oneOf, taken } from './requests.js';
import type { Billed, Operation, Write } from './worker.js';

const effect = (table: string) => effectOf('finance', table);

/** Takes an invoice one step further, or begins a new one. */
export const bill: Operation = (caller, memory) => {
  const client_id = oneOf(caller, memory.clients);
  if (client_id === undefined) return undefined;
  const begun = { id: randomUUID(), payment: randomUUID(), client_id, amount: amountOf(caller) };
  const invoice = (caller.random(3) > 0 && taken(caller, memory.invoices)) || {
    ...begun,
    next: 'draft' as const,
  };
  const { following, ...write } = steps[invoice.next](invoice);
  return {
    ...write,
    remember: () => void (following && memory.invoices.push({ ...invoice, next: following })),
  };
};

interface Step extends Write {
  readonly following: Billed['next'] | undefined;
}

const steps: Readonly<Record<Billed['next'], (invoice: Billed) => Step>> = {
  draft: ({ id, client_id }) => ({
    ...insert('invoices', { id, client_id }),
    effects: [effect('invoices')('InvoiceDrafted', id, { client_id, status: 'draft' })],
    following: 'item',
  }),
  item: ({ id, amount }) => {
    const item = { id: randomUUID(), invoice_id: id, description: 'A session', unit_price: amount };
    return {
      ...insert('invoice_items', item),
      effects: [effect('invoice_items')('InvoiceItemAdded', item.id, { invoice_id: id })],
      following: 'number',
    };
  },
  number: ({ id }) => ({
    request: { method: 'POST', path: '/rest/v1/rpc/finalize_invoice', body: { invoice_id: id } },
    expected: 200,
    effects: [effect('invoices')('InvoiceFinalized', id, { status: 'open' })],
    following: 'payment',
  }),
  payment: ({ payment: id, client_id, amount }) => ({
    ...insert('payments', { id, client_id, amount, date: '2026-01-05', method: 'card' }),
    effects: [effect('payments')('PaymentRecorded', id, { amount })],
    following: 'allocation',
  }),
  allocation: ({ id: invoice_id, payment: payment_id, amount }) => {
    const allocation = { id: randomUUID(), invoice_id, payment_id };
    return {
      ...insert('payment_allocations', allocation),
      effects: [
        effect('payment_allocations')('PaymentAllocationMade', allocation.id, { amount }),
        effect('invoices')('InvoicePaid', invoice_id, { status: 'paid' }),
      ],
      following: undefined,
    };
  },
};
