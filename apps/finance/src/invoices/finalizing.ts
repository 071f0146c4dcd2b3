// Finalizing an invoice: a change that callers can only make through rpc/finalize_invoice.

import { billingSettings, invoiceItems, invoices, type Invoice } from '@practice/contracts';
import { isNegative, isZero, problemFor, reject } from '@practice/core';
import { fromStart, nextNumber } from '@practice/resource';
import type { Changes, Decider, EventOf, LookupContext } from '@practice/resource';
import { addDays } from '@practice/zone';
import { lastDate, today, zoneLookup } from '../settings/today.js';
import { invoice } from './invoice.js';

type Invoices = typeof invoices;

/** Decides the changes that the function makes. */
export const finalizing: Decider<Invoices> = {
  ...invoice,
  lookups: (command, state) => [...invoice.lookups(command, state), zoneLookup(state?.therapist_id)],
  decide(command, state, context) {
    if (command.kind !== 'change' || state === null)
      throw new Error(`an invoice is not finalized by ${command.kind}`);
    return finalizedOn(state, command.changes, context);
  },
};

/** @throws {Rejection} PM001 unless the invoice is a draft with items and a valid total, date and due date */
function finalizedOn(state: Invoice, asked: Changes<Invoices>, context: LookupContext): EventOf<Invoices>[] {
  const { id, therapist_id: practice, status, subtotal, tax_total, total } = state;
  if (status !== 'draft') reject(notFinalized(`The invoice is ${status}.`));
  if (context.rows(invoiceItems, 'invoice_id', id).length === 0) reject(notFinalized('It has no items.'));
  if (isNegative(total)) reject(notFinalized(`Its total is ${total}.`));
  const issued_on = asked.issued_on ?? today(practice, context);
  const last = lastDate(practice, context);
  if (issued_on > last) reject(notFinalized(`issued_on is after ${last}.`));
  const days = fromStart(billingSettings, practice, context).payment_days;
  const due_on = asked.due_on ?? state.due_on ?? addDays(issued_on, days);
  if (due_on < issued_on) reject(notFinalized('due_on is before issued_on.'));
  const number = nextNumber(invoices, practice, context);
  const data = {
    ...({ status: 'open', number, issued_on, due_on } as const),
    ...{ subtotal, tax_total, total, amount_due: total },
  };
  const paid = { type: 'InvoicePaid', data: { status: 'paid' } } as const;
  return [{ type: 'InvoiceFinalized', data }, ...(isZero(total) ? [paid] : [])];
}

const notFinalized = (details: string) =>
  problemFor('PM001', {
    message: 'the invoice cannot be finalized',
    details,
    hint: 'A draft with at least one invoice item can be finalized. Its total must not be negative.',
  });
