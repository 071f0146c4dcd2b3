// The rules of a credit note: it takes part of a finalized invoice back, at first what is due.

import { creditNotes, finalized, invoices, type Invoice } from '@practice/contracts';
import { isNegative, least, minus, plus, problemFor, reject, shareOf } from '@practice/core';
import { dependent, type LookupContext } from '@practice/resource';
import { booked } from '../balances.js';
import { nextNumber, numberTaken, settingsLookup } from '../numbers.js';

export const creditNote = booked(creditNotes, {
  enforces: ['credit_notes_number_key'],
  lookups: ({ therapist_id: practice }) => [settingsLookup(practice)],

  create(record, context) {
    const { therapist_id: practice, total } = record;
    const invoice = invoiceOf(record, context);
    if (invoice.status !== 'open' && invoice.status !== 'paid') reject(notCreditable(invoice));
    const left = minus(invoice.total, invoice.amount_credited);
    if (isNegative(minus(left, total))) reject(tooMuch(left));
    const tax = shareOf(total, invoice.tax_total, invoice.total);
    const applied = least(total, invoice.amount_due);
    return {
      number: nextNumber(practice, 'next_credit_note_number', context),
      date: record.date ?? context.now.slice(0, 10),
      ...{ tax_total: tax, subtotal: minus(total, tax) },
      ...{ applied, credited: minus(total, applied) },
    };
  },

  remove: () => reject(finalized),

  dependents({ after }, context) {
    if (after === null) return [];
    const { id, amount_credited: credited, amount_due: due } = invoiceOf(after, context);
    const changes = {
      amount_credited: plus(credited, after.total),
      amount_due: minus(due, after.applied),
    };
    return [
      dependent(invoices, id, { kind: 'change', changes }),
      numberTaken(after.therapist_id, 'next_credit_note_number', context),
    ];
  },
});

/** A reference is checked before the rules, so the invoice exists. */
const invoiceOf = ({ invoice_id: id }: { readonly invoice_id: string }, context: LookupContext): Invoice =>
  context.rows(invoices, 'id', id)[0] as Invoice;

const notCreditable = ({ status }: Invoice) =>
  problemFor('PM001', {
    message: 'only an open or paid invoice can be credited',
    details: `The invoice is ${status}.`,
  });

const tooMuch = (left: string) => problemFor('PM022', { details: `The invoice has ${left} left to credit.` });
