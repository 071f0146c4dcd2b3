import { column, plainTable, type ColumnRules } from '@practice/resource';

/** The name of the plain table with the entries. */
export const LEDGER = 'ledger_entries';

export const accounts = [
  ...['accounts_receivable', 'revenue', 'tax', 'cash', 'prepaid', 'bad_debt', 'expenses'],
] as const;

/** A column for an amount that callers set, in the currency of the practice. */
export const cents = column.decimal(12, 2);

/** A column for a tax rate, in percent. */
export const percent = column.decimal(6, 3);

/** A column for an amount that the server computes, with two decimals, in the currency of the practice. */
export const amount = (rules: Pick<ColumnRules, 'description' | 'sumOf' | 'productOf' | 'percentOf'> = {}) =>
  column.decimal(14, 2)({ default: '0.00', readOnly: true, ...rules });

export const ledgerEntries = plainTable({
  name: LEDGER,
  service: 'finance',
  description:
    'The ledger: every event of invoices, payments, allocations, credit notes and expenses as balanced entries. `as_of` gives the entries of a past instant. Read-only, for owners and billing.',
  roles: { therapist: 'none', billing: 'read', read_only: 'none' },
  columns: {
    id: column.uuid({ required: true, description: 'The id of the entry.' }),
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
    at: column.timestamp({ required: true, description: 'When it was recorded.' }),
    position: column.bigint({
      required: true,
      description: 'The position of its event in the log of the practice.',
    }),
    event: column.text({ required: true, description: 'The type of the event: `InvoiceFinalized`.' }),
    resource: column.text({ required: true, description: 'The resource of the record: `invoices`.' }),
    record_id: column.uuid({ required: true, description: 'The record that the event is of.' }),
    client_id: column.uuid({ description: 'The client; null for an expense.' }),
    date: column.date({
      required: true,
      description:
        'The day of the booking: the date of the record; for an allocation and a later change of an invoice, their day in UTC.',
    }),
    month: column.text({ required: true, description: 'The month of `date`: `2030-01`.' }),
    account: column.text({ required: true, oneOf: accounts }),
    debit: column.decimal(14, 2)({ required: true }),
    credit: column.decimal(14, 2)({ required: true }),
  },
});
