// The rules of a credit note: it takes part of a finalized invoice back, at first what is due.

import { creditNotes, finalized, invoices, type Invoice } from '@practice/contracts';
import { least, minus, plus, reject, shareOf } from '@practice/core';
import { deciderOf, nextNumber } from '@practice/resource';

export const creditNote = deciderOf(creditNotes, {
  create({ therapist_id: practice, invoice_id: id, total, date }, context) {
    const invoice = context.rows(invoices, 'id', id)[0] as Invoice;
    const { amount_credited: before } = invoice;
    return {
      number: nextNumber(creditNotes, practice, context),
      date: date ?? context.now.slice(0, 10),
      // Rounded once for all notes so far, so that notes of the whole invoice have the whole tax.
      tax_total: minus(taxIn(plus(before, total), invoice), taxIn(before, invoice)),
      applied: least(total, invoice.amount_due),
    };
  },

  remove: () => reject(finalized),
});

/** The tax in a part of an invoice. */
const taxIn = (part: string, { tax_total: tax, total }: Invoice): string => shareOf(part, tax, total);
