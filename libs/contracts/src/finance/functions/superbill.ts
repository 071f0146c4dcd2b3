import { column, defineFunction, returns } from '@practice/resource';
import { invoiceItems } from '../invoice-items.js';

const { appointment_id, service_id, quantity, unit_price, amount, tax_amount, total } = invoiceItems.columns;

export const superbill = defineFunction({
  name: 'superbill',
  service: 'finance',
  description:
    'Services to a client that are on finalized invoices, for the client to send to an insurer: one row for each item, by date. Diagnoses are not included.',
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
    ...{ appointment_id, service_id, quantity, unit_price, amount, tax_amount, total },
    invoice_id: column.uuid({ required: true }),
    invoice_number: column.text({ required: true }),
    invoice_status: column.text({ required: true }),
  }),
  effect: 'reads',
  roles: ['owner', 'billing', 'front_desk'],
});
