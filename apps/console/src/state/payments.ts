// Taking a payment: it pays the oldest open invoices of the client, and the rest is credit.

import type { TablesInsert } from '@practice/client-types';
import { api, ApiError, read, write } from '../api/client.js';
import { money } from '../logic/money.js';
import { toasts } from './act.svelte.js';
import { problemOf } from './load.svelte.js';
import { session } from './session.svelte.js';

type Payment = Required<Pick<TablesInsert<'payments'>, 'client_id' | 'date' | 'amount' | 'method'>>;

/** Records a payment and allocates it. One undo takes both back. Resolves with whether it is recorded. */
export async function takePayment(payment: Payment, name: string): Promise<boolean> {
  const id = crypto.randomUUID();
  const text = `Payment of ${money(payment.amount, session.settings?.currency)} by ${name}`;
  const recorded = await write(api.from('payments').insert({ id, ...payment }), crypto.randomUUID());
  if (recorded.problem) {
    toasts.show({ text, problem: recorded.problem });
    return false;
  }
  const changes = [recorded.changeId];
  try {
    for (const invoice of await openInvoices(payment)) {
      const allocation = api.from('payment_allocations').insert({ payment_id: id, invoice_id: invoice });
      const { changeId, problem } = await write(allocation, crypto.randomUUID());
      if (problem) throw new ApiError(problem);
      changes.push(changeId);
    }
  } catch (error) {
    toasts.show({ text: `${text} is not allocated`, problem: problemOf(error) });
  }
  toasts.show({ text, changeId: changes.filter(Boolean).join(',') });
  return true;
}

/** The invoices that the amount pays, the oldest first. */
async function openInvoices({ client_id: client, amount }: Payment): Promise<string[]> {
  const call = api.from('invoices').select('id, amount_due').eq('client_id', client).eq('status', 'open');
  let left = amount;
  const paid: string[] = [];
  for (const { id, amount_due: due } of await read(call.order('issued_on'))) {
    if (left <= 0) break;
    paid.push(id);
    left -= due;
  }
  return paid;
}
