import { column, defineFunction, returns } from '@practice/resource';
import { invoices } from '../invoices.js';

export const finalizeInvoice = defineFunction({
  name: 'finalize_invoice',
  service: 'finance',
  description:
    'Makes a draft an open invoice with the next number of the practice. After that, neither the invoice nor its items can change, and it cannot be undone: 409 `PM021`. Issue a credit note to correct it.',
  arguments: {
    invoice_id: column.uuid({ required: true }),
    issued_on: column.date({
      description: 'The date of the invoice. If omitted: today in the time zone of the practice.',
    }),
    due_on: column.date({ description: 'If omitted: the one of the draft, or as `billing_settings` say.' }),
  },
  returns: returns.event(invoices, 'InvoiceFinalized'),
  effect: 'writes',
  roles: ['owner', 'billing'],
});
