// The rules of a credit note: it takes part of a finalized invoice back, at first what is due.

import { creditNotes, finalized, invoices, type Invoice } from '@practice/contracts';
import { isNegative, least, minus, plus, problemFor, reject, shareOf } from '@practice/core';
import { deciderOf, nextNumber, type LookupContext } from '@practice/resource';

export const creditNote = deciderOf(creditNotes, {
  enforces: ['credit_notes_number_key'],

  create(record, context) {
    const { therapist_id: practice, total } = record;
    const invoice = invoiceOf(record, context);
    if (invoice.status !== 'open' && invoice.status !== 'paid') reject(notCreditable(invoice));
    const { amount_credited: before } = invoice;
    const left = minus(invoice.total, before);
    if (isNegative(minus(left, total))) reject(tooMuch(left));
    return {
      number: nextNumber(creditNotes, practice, context),
      date: record.date ?? context.now.slice(0, 10),
      // Rounded once for all notes so far, so that notes of the whole invoice have the whole tax.
      tax_total: minus(taxIn(plus(before, total), invoice), taxIn(before, invoice)),
      applied: least(total, invoice.amount_due),
    };
  },

  remove: () => reject(finalized),
});

/** The tax in a part of an invoice. */
const taxIn = (part: string, { tax_total: tax, total }: Invoice): string => shareOf(part, tax, total);

/** A reference is checked before the rules, so the invoice exists. */
const invoiceOf = ({ invoice_id: id }: { readonly invoice_id: string }, context: LookupContext): Invoice =>
  context.rows(invoices, 'id', id)[0] as Invoice;

const notCreditable = ({ status }: Invoice) =>
  problemFor('PM001', {
    message: 'only an open or paid invoice can be credited',
    details: `The invoice is ${status}.`,
  });

const tooMuch = (left: string) => problemFor('PM022', { details: `The invoice has ${left} left to credit.` });
