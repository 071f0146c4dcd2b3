import { column, defineFunction, returns } from '@practice/resource';

export const superbill = defineFunction({
  name: 'superbill',
  service: 'finance',
  description:
    'Services to a client that are on open or paid invoices, for the client to send to an insurer: one row for each item, by date. Diagnoses are not included.',
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
