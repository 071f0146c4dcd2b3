import { column, resource } from '@practice/resource';
import { clientLedger } from './client-balances.js';
import { amount, cents } from './ledger-entries.js';

export const payments = resource({
  name: 'payments',
  service: 'finance',
  aggregate: 'payment',
  description:
    'Payments of clients. `payment_allocations` say which invoices they pay; the rest is credit of the client. Card data are never stored.',
  mostDependents: 1,
  roles: { therapist: 'none', front_desk: 'write', billing: 'delete' },
  columns: {
    client_id: column.uuid({ required: true, references: 'clients', fixed: true }),
    date: column.date({ required: true }),
    amount: cents({
      required: true,
      not: 0,
      description: 'A negative amount pays credit back to the client.',
    }),
    method: column.text({ required: true, oneOf: ['cash', 'card', 'transfer', 'other'] }),
    external_id: column.text({
      maxLength: 320,
      description: 'The id in another system. Each can be recorded once.',
    }),
    note: column.text({ personal: { of: 'client_id' } }),
    allocated: amount({ description: 'Sum of its `payment_allocations`.' }),
  },
  events: {
    PaymentRecorded: 'created',
    PaymentCorrected: 'others',
    PaymentAllocated: ['allocated'],
    PaymentDeleted: 'deleted',
  },
  uniques: [{ name: 'payments_external_id_key', columns: ['external_id'] }],
  indexes: [['client_id', 'date'], ['date']],
  ledger: {
    ...clientLedger,
    date: 'date',
    contributions: [
      { account: 'cash', debit: 'amount' },
      { account: 'prepaid', credit: 'amount' },
    ],
  },
});
