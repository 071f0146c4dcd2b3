import { column, resource } from '@practice/resource';
import { billingSettings } from './billing-settings.js';
import { clientLedger } from './client-balances.js';
import { payable } from './invoices.js';
import { amount, cents } from './ledger-entries.js';

export const creditNotes = resource({
  name: 'credit_notes',
  service: 'finance',
  aggregate: 'credit_note',
  description:
    'Corrections of finalized invoices, with numbers of their own. They cannot be changed, deleted or undone.',
  mostDependents: 3,
  roles: { therapist: 'none', front_desk: 'read', billing: 'write' },
  appendOnly: true,
  columns: {
    invoice_id: column.uuid({
      ...{ required: true, references: 'invoices', fixed: true },
      ...{ shares: ['client_id'], needs: payable },
    }),
    client_id: column.uuid({ requiredUnless: 'invoice_id', references: 'clients', fixed: true }),
    number: column.text({ readOnly: true, description: 'Without gaps within the practice.' }),
    date: column.date({
      requiredUnless: 'invoice_id',
      description:
        'Not before the date of the invoice, and at most 31 days ahead. If omitted: today in the time zone of the practice, or the date of the invoice if that is later.',
    }),
    reason: column.text({ required: true, notBlank: true, personal: { of: 'client_id' } }),
    total: cents({ required: true, min: 0.01, description: 'With tax. At most what the invoice has left.' }),
    subtotal: amount({ sumOf: ['total', '-tax_total'], description: '`total` without tax.' }),
    tax_total: amount({
      description:
        'The share of the tax of the invoice: all notes together have the share, rounded half to even.',
    }),
    applied: amount({ description: 'The part that reduces what is due.' }),
    credited: amount({ sumOf: ['total', '-applied'], description: 'The rest: credit of the client.' }),
  },
  events: { CreditNoteIssued: 'created' },
  numbered: {
    ...{ column: 'number', by: billingSettings },
    ...{ prefix: 'credit_note_prefix', next: 'next_credit_note_number' },
  },
  uniques: [{ name: 'credit_notes_number_key', columns: ['number'] }],
  indexes: [['invoice_id'], ['client_id']],
  totals: [
    {
      by: 'invoice_id',
      adds: { amount_credited: 'total', amount_due: '-applied' },
      takes: { column: 'total', from: ['total', '-amount_credited'] },
    },
  ],
  ledger: {
    ...clientLedger,
    date: 'date',
    contributions: [
      { account: 'revenue', debit: 'subtotal' },
      { account: 'tax', debit: 'tax_total' },
      { account: 'accounts_receivable', credit: 'applied' },
      { account: 'prepaid', credit: 'credited' },
    ],
  },
});
