// The rules of the line of an invoice: its price is the one of the booking, and it changes with a draft only.

import { finalized, invoiceItems, invoices } from '@practice/contracts';
import type { Invoice, InvoiceItem } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { deciderOf, lookup, type LookupContext } from '@practice/resource';

export const invoiceItem = deciderOf(invoiceItems, {
  enforces: ['invoice_items_appointment_key'],

  lookups: ({ appointment_id: id }) => (id === null ? [] : [lookup(invoiceItems, 'appointment_id', [id])]),

  create(record, context) {
    draftOf(record, context);
    checkNotBilled(record, context);
    return {};
  },

  change(state, { changes }, context) {
    if (changes.voided === undefined) draftOf(state, context);
    else if (!changes.voided) checkNotBilled(state, context);
    return changes as Partial<InvoiceItem>;
  },

  remove: (state, context) => void draftOf(state, context),
});

/** @throws {Rejection} PM021 unless the invoice of the item is a draft */
function draftOf({ invoice_id: id }: Pick<InvoiceItem, 'invoice_id'>, context: LookupContext): Invoice {
  const [parent] = context.rows(invoices, 'id', id);
  return parent?.status === 'draft' ? parent : reject(finalized);
}

type Billed = Pick<InvoiceItem, 'id' | 'appointment_id'>;

/** @throws {Rejection} PM023 for an appointment that another invoice has */
function checkNotBilled({ id, appointment_id: appointment }: Billed, context: LookupContext): void {
  if (appointment === null) return;
  const other = context
    .rows(invoiceItems, 'appointment_id', appointment)
    .find((item) => !item.voided && item.id !== id);
  if (other !== undefined) reject(billed(appointment, other));
}

const billed = (appointment: string, { id, invoice_id: invoice }: InvoiceItem) =>
  problemFor('PM023', { details: `Appointment ${appointment} is item ${id} of ${invoice}.` });
