// Helpers for the specs of finance: drafts with items, finalized invoices and payments.

import { expect } from '@jest/globals';
import { make, rowsOf, write, type Answer, type Made, type Practice } from '@practice/testing';

export interface Billed {
  readonly invoice: Made;
  readonly client: Made;
}

/** Makes a draft with an item for each price, for the given client or a new one. */
export async function draftOf(
  practice: Practice,
  prices: readonly number[],
  { client, ...more }: { readonly client?: Made; readonly tax_id?: string } = {},
): Promise<Billed> {
  const owner = client ?? (await make(practice, 'clients', { name: 'Ada' }));
  const invoice = await make(practice, 'invoices', { client_id: owner.id });
  for (const unit_price of prices)
    await make(practice, 'invoice_items', {
      ...more,
      ...{ invoice_id: invoice.id, description: 'A session', unit_price },
    });
  return { invoice, client: owner };
}

/** Calls a function, and repeats the call under its key if the machine is busy. */
export const call = (practice: Practice, name: string, body: object): Promise<Answer> =>
  write(practice, `rpc/${name}`, { method: 'POST', body });

/** Finalizes an invoice. */
export async function finalize(practice: Practice, invoice: Made, more: object = {}): Promise<Made> {
  const answer = await call(practice, 'finalize_invoice', { invoice_id: invoice.id, ...more });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as Made;
}

/** An open invoice. */
export async function openInvoice(practice: Practice, prices: readonly number[]): Promise<Billed> {
  const billed = await draftOf(practice, prices);
  await finalize(practice, billed.invoice);
  return billed;
}

/** Records a payment of a client. */
export const pay = (
  practice: Practice,
  client: Made,
  { amount, ...more }: { readonly amount: number; readonly external_id?: string },
): Promise<Made> =>
  make(practice, 'payments', {
    client_id: client.id,
    date: '2026-03-01',
    amount,
    method: 'transfer',
    ...more,
  });

export interface Balance {
  readonly account: string;
  readonly debit: number;
  readonly credit: number;
}

/** The totals of each account with entries. */
export async function trialBalance(practice: Practice, query = ''): Promise<Record<string, number>> {
  const select = 'select=account,debit:debit.sum(),credit:credit.sum()&order=account';
  const balances = await rowsOf<Balance>(practice, `ledger_entries?${select}${query}`);
  return Object.fromEntries(
    balances.map(({ account, debit, credit }) => [account, Math.round((debit - credit) * 100) / 100]),
  );
}
