import { column, defineFunction, returns } from '@practice/resource';
import { invoices } from '../invoices.js';

export const billAppointments = defineFunction({
  name: 'bill_appointments',
  service: 'finance',
  description:
    'Makes draft invoices, one for each client, from completed appointments with a service. Each appointment is billed once. These are not billed: appointments that use a package, unless it is void; appointments that were just completed and may still get a session; appointments of erased clients. Give `client_id`, or `from` and `to`, or all of them.',
  arguments: {
    client_id: column.uuid({ description: 'Only appointments of this client.' }),
    from: column.date({ description: 'The first day.' }),
    to: column.date({ description: 'The last day; without client_id, at most 92 days after the first.' }),
  },
  example: { from: '2030-01-01', to: '2030-01-31' },
  returns: returns.rows({
    invoice_id: column.uuid({ required: true }),
    client_id: column.uuid({ required: true }),
    items: column.integer({ required: true, description: 'The number of items of the draft.' }),
    total: column.decimal(14, 2)({ required: true }),
  }),
  effect: 'writes',
  roles: ['owner', 'billing'],
});

export const finalizeInvoice = defineFunction({
  name: 'finalize_invoice',
  service: 'finance',
  description:
    'Makes a draft an open invoice with the next number of the practice. After that, neither the invoice nor its items can change, and it cannot be undone: 409 `PM021`. Issue a credit note to correct it.',
  arguments: {
    invoice_id: column.uuid({ required: true }),
    issued_on: column.date({
      description:
        'The date of the invoice, at most 31 days ahead. If omitted: today in the time zone of the practice.',
    }),
    due_on: column.date({ description: 'If omitted: the one of the draft, or as `billing_settings` say.' }),
  },
  returns: returns.event(invoices, 'InvoiceFinalized'),
  effect: 'writes',
  roles: ['owner', 'billing'],
});

export const superbill = defineFunction({
  name: 'superbill',
  service: 'finance',
  description:
    'Services to a client that are on open or paid invoices, unless credited in full, for the client to send to an insurer: one row for each item, by date. Diagnoses are not included.',
  arguments: {
    client_id: column.uuid({ required: true }),
    from: column.date({ required: true, description: 'The first day of service.' }),
    to: column.date({ required: true, description: 'The last day of service.' }),
  },
  returns: returns.rows({
    date: column.date({
      required: true,
      description: 'The day of the service; the date of the invoice for an item without an appointment.',
    }),
    description: column.text({ description: 'Null once the client is erased.' }),
    appointment_id: column.uuid(),
    service_id: column.uuid(),
    quantity: column.decimal(10, 2)({ required: true }),
    unit_price: column.money({ required: true }),
    amount: column.decimal(14, 2)({ required: true }),
    tax_amount: column.decimal(14, 2)({ required: true }),
    total: column.decimal(14, 2)({ required: true }),
    invoice_id: column.uuid({ required: true }),
    invoice_number: column.text({ required: true }),
    invoice_status: column.text({ required: true }),
  }),
  effect: 'reads',
  roles: ['owner', 'billing', 'front_desk'],
});
