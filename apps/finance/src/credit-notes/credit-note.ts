// The rules of a credit note: it takes part of a finalized invoice back, at first what is due.

import { creditNotes, finalized, invoices, type CreditNote, type Invoice } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { dependent, lookup } from '@practice/resource';
import type { CreateCommand, Decider, EventOf, LookupContext } from '@practice/resource';
import { balanceAfter, balanceThrough } from '../balances.js';
import { isNegative, least, minus, plus, shareOf } from '../money.js';
import { nextNumber, numberTaken, settingsLookup } from '../numbers.js';
import { checkLeft } from '../server-kept.js';

type CreditNotes = typeof creditNotes;

export const creditNote: Decider<CreditNotes> = {
  definition: creditNotes,
  derives: true,
  enforces: ['credit_notes_number_key'],

  lookups(command) {
    if (command.kind !== 'create') return [];
    const { invoice_id: id, therapist_id: practice } = command.record;
    const invoice = lookup(invoices, 'id', [id]);
    return [invoice, settingsLookup(practice), balanceThrough(invoice)];
  },

  decide(command, _state, context) {
    return command.kind === 'create' ? [issued(command, context)] : reject(finalized);
  },

  dependents({ before, after }, context) {
    if (after === null) return [];
    const { invoice_id: id, therapist_id: practice, total, applied } = after;
    const invoice = invoiceOf(id, context);
    const changes = {
      amount_credited: plus(invoice.amount_credited, total),
      amount_due: minus(invoice.amount_due, applied),
    };
    return [
      dependent(invoices, id, { kind: 'change', changes }),
      numberTaken(practice, 'next_credit_note_number', context),
      ...balanceAfter({ resource: creditNotes, before, after }, context),
    ];
  },
};

function issued({ record }: CreateCommand<CreditNotes>, context: LookupContext): EventOf<CreditNotes> {
  checkLeft(creditNotes, record, ['number', 'subtotal', 'tax_total', 'applied', 'credited']);
  const { invoice_id: id, therapist_id: practice, total } = record;
  const invoice = invoiceOf(id, context);
  if (invoice.status !== 'open' && invoice.status !== 'paid') reject(notCreditable(invoice));
  const left = minus(invoice.total, invoice.amount_credited);
  if (isNegative(minus(left, total))) reject(tooMuch(left));
  const tax = shareOf(total, invoice.tax_total, invoice.total);
  const applied = least(total, invoice.amount_due);
  const data: CreditNote = {
    ...record,
    client_id: invoice.client_id,
    number: nextNumber(practice, 'next_credit_note_number', context),
    date: record.date ?? context.now.slice(0, 10),
    ...{ tax_total: tax, subtotal: minus(total, tax) },
    ...{ applied, credited: minus(total, applied) },
  };
  return { type: 'CreditNoteIssued', data };
}

/** A reference is checked before the rules, so the invoice exists. */
const invoiceOf = (id: string, context: LookupContext): Invoice =>
  context.rows(invoices, 'id', id)[0] as Invoice;

const notCreditable = ({ status }: Invoice) =>
  problemFor('PM001', {
    message: 'only an open or paid invoice can be credited',
    details: `The invoice is ${status}.`,
  });

const tooMuch = (left: string) => problemFor('PM022', { details: `The invoice has ${left} left to credit.` });
