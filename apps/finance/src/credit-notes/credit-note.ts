// The rules of a credit note: it credits a part of a finalized invoice, and first reduces the amount due.

import { creditNotes, finalized, invoices, type Invoice } from '@practice/contracts';
import { least, minus, plus, reject, shareOf } from '@practice/core';
import { brokenCheck, deciderOf, nextNumber } from '@practice/resource';
import { lastDate, today, zoneLookup } from '../settings/today.js';

export const creditNote = deciderOf(creditNotes, {
  lookups: ({ therapist_id: practice }) => [zoneLookup(practice)],

  create({ therapist_id: practice, invoice_id: id, total, date }, context) {
    const invoice = context.rows(invoices, 'id', id)[0] as Invoice;
    const { amount_credited: before } = invoice;
    const first = invoice.issued_on ?? '';
    if (date !== null && date < first) reject(tooEarly(first));
    const ahead = lastDate(practice, context);
    const last = first > ahead ? first : ahead;
    if (date !== null && date > last) reject(tooLate(last));
    const day = date ?? today(practice, context);
    return {
      number: nextNumber(creditNotes, practice, context),
      date: day < first ? first : day,
      // The tax of all notes so far is rounded once, so that the notes for a whole invoice have exactly its tax.
      tax_total: minus(taxIn(plus(before, total), invoice), taxIn(before, invoice)),
      applied: least(total, invoice.amount_due),
    };
  },

  remove: () => reject(finalized),
});

const tooEarly = (first: string) => brokenCheck(`date must not be before the date of the invoice, ${first}.`);

const tooLate = (last: string) => brokenCheck(`date must not be after ${last}.`);

/** The share of tax in a part of an invoice. */
const taxIn = (part: string, { tax_total: tax, total }: Invoice): string => shareOf(part, tax, total);
