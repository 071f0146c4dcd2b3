import { column, defineFunction, returns } from '@practice/resource';

export const billAppointments = defineFunction({
  name: 'bill_appointments',
  service: 'finance',
  description:
    'Makes draft invoices, one for each client, from completed appointments with a service. Each appointment is billed once. Appointments that use a package are not billed, unless it is void, nor are appointments of erased clients. Give `client_id`, or `from` and `to`, or all of them.',
  arguments: {
    client_id: column.uuid({ description: 'Only appointments of this client.' }),
    from: column.date({ description: 'The first day.' }),
    to: column.date({ description: 'The last day, at most 92 days after the first.' }),
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
