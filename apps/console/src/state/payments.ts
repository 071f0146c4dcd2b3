// Payments. A payment pays open invoices of the client, and the rest is credit.

import type { TablesInsert } from '@practice/client-types';
import { api, read } from '../api/client.js';
import { invoicesPaidBy, money } from '../logic/money.js';
import { act, toasts } from './act.svelte.js';
import { problemOf } from './load.svelte.js';
import { session } from './session.svelte.js';

type Payment = Required<Pick<TablesInsert<'payments'>, 'id' | 'client_id' | 'date' | 'amount' | 'method'>>;

/**
 * Records a payment and allocates it, in one change.
 * @param first the id of the invoice that is paid first. The others are paid from the oldest on.
 */
export async function takePayment(payment: Payment, name: string, first?: string): Promise<boolean> {
  const { id, client_id: client, amount } = payment;
  const text = `Payment of ${money(amount, session.settings?.currency)} by ${name}`;
  const { left } = toasts;
  try {
    const call = api.from('invoices').select('id, amount_due').eq('client_id', client).eq('status', 'open');
    const paid = invoicesPaidBy(amount, await read(call.order('issued_on')), first);
    if (toasts.left !== left) return false;
    const operations = [
      { path: 'payments', body: payment },
      ...paid.map((invoice_id) => ({ path: 'payment_allocations', body: { payment_id: id, invoice_id } })),
    ];
    const canUndo = session.is('owner', 'billing');
    return await act(text, () => api.rpc('batch', { operations }), { canUndo });
  } catch (error) {
    if (toasts.left === left) toasts.show({ text: `Not done: ${text}`, problem: problemOf(error) });
    return false;
  }
}
