import { problemFor } from '@practice/core';
import { column, resource, type RowOf } from '@practice/resource';
import { billingSettings } from './billing-settings.js';
import { clientLedger } from './client-balances.js';
import { amount } from './ledger-entries.js';

export const finalized = problemFor('PM021');

/** The condition on invoices that can be paid and credited. */
export const payable = {
  where: { status: ['open', 'paid'] },
  problem: problemFor('PM001', { message: 'only an open or paid invoice can be paid or credited' }),
} as const;

const booked = { status: ['open', 'paid', 'uncollectible'] };
const lost = { status: ['uncollectible'] };

export const invoices = resource({
  name: 'invoices',
  service: 'finance',
  aggregate: 'invoice',
  description:
    'Invoices: draft, open, paid, void or uncollectible. Only drafts can be changed or deleted. `rpc/finalize_invoice` gives a draft its number, a payment in full makes it paid. Set `status` to void or uncollectible, or back to open.',
  mostDependents: 2,
  roles: { therapist: { may: 'read', of: 'practitioner_ids' }, front_desk: 'read', billing: 'delete' },
  derivedFor: ['front_desk'],
  columns: {
    client_id: column.uuid({
      required: true,
      references: 'clients',
      fixed: true,
      description: 'Who pays. It cannot be changed: delete the draft and create another one.',
    }),
    status: column.text({
      default: 'draft',
      oneOf: ['draft', 'open', 'paid', 'void', 'uncollectible'],
    }),
    number: column.text({
      readOnly: true,
      description: 'From `rpc/finalize_invoice`: without gaps within the practice. Null for a draft.',
    }),
    issued_on: column.date({ readOnly: true, description: 'The date of the invoice. Null for a draft.' }),
    due_on: column.date({ description: 'If omitted: `payment_days` of `billing_settings` after the date.' }),
    memo: column.text({ personal: { of: 'client_id' }, description: 'Text for the client.' }),
    practitioner_ids: column.texts({
      readOnly: true,
      description: 'The members who held its appointments. A therapist sees no other invoices.',
    }),
    subtotal: amount({ description: 'The sum of the items without tax.' }),
    tax_total: amount({ description: 'The sum of the taxes of the items, each rounded half to even.' }),
    total: amount(),
    amount_paid: amount({ description: 'The sum of its `payment_allocations`.' }),
    amount_credited: amount({ description: 'The sum of its `credit_notes`.' }),
    amount_due: amount({ description: 'The rest to be paid. Zero for a draft.' }),
  },
  transitions: {
    ...{ draft: {}, void: {}, paid: { void: 'InvoiceVoided' } },
    open: { void: 'InvoiceVoided', uncollectible: 'InvoiceMarkedUncollectible' },
    uncollectible: { open: 'InvoiceReopened' },
  },
  events: {
    InvoiceDrafted: 'created',
    InvoiceDraftChanged: ['due_on', 'memo'],
    InvoiceTotalled: ['subtotal', 'tax_total', 'total', 'practitioner_ids'],
    InvoiceFinalized: [
      ...(['status', 'number', 'issued_on', 'due_on'] as const),
      ...(['subtotal', 'tax_total', 'total', 'amount_due'] as const),
    ],
    InvoiceSettled: ['amount_paid', 'amount_credited', 'amount_due'],
    InvoicePaid: ['status'],
    InvoiceReopened: ['status'],
    InvoiceVoided: ['status'],
    InvoiceMarkedUncollectible: ['status'],
    InvoiceDeleted: 'deleted',
  },
  numbered: {
    ...{ column: 'number', by: billingSettings },
    ...{ prefix: 'invoice_prefix', next: 'next_invoice_number' },
  },
  uniques: [{ name: 'invoices_number_key', columns: ['number'] }],
  indexes: [['client_id'], ['status'], ['issued_on']],
  search: { title: 'number', in: ['number', 'memo'] },
  ledger: {
    ...clientLedger,
    date: 'issued_on',
    contributions: [
      { account: 'accounts_receivable', debit: 'total', where: booked },
      { account: 'revenue', credit: 'subtotal', where: booked },
      { account: 'tax', credit: 'tax_total', where: booked },
      { account: 'bad_debt', debit: 'amount_due', where: lost },
      { account: 'accounts_receivable', credit: 'amount_due', where: lost },
    ],
  },
});

export type Invoice = RowOf<typeof invoices>;

export type InvoiceStatus = Invoice['status'];
