import { column, resource } from '@practice/resource';
import { clientLedger } from './client-balances.js';
import { payable } from './invoices.js';
import { cents } from './ledger-entries.js';

const shares = ['client_id'] as const;

export const paymentAllocations = resource({
  name: 'payment_allocations',
  service: 'finance',
  aggregate: 'payment_allocation',
  description:
    'The parts of payments, and of other credit, that pay invoices. An allocation of all that is due makes the invoice paid; deleting it opens the invoice again.',
  mostDependents: 3,
  roles: { therapist: 'none', front_desk: 'delete', billing: 'delete' },
  columns: {
    payment_id: column.uuid({
      ...{ references: 'payments', fixed: true, shares },
      description:
        'Null: credit of the client pays, such as that of a credit note. Name the payment if one pays: otherwise it still counts as not allocated.',
    }),
    invoice_id: column.uuid({ required: true, references: 'invoices', fixed: true, shares, needs: payable }),
    client_id: column.uuid({
      requiredUnless: 'invoice_id',
      references: 'clients',
      fixed: true,
      description: 'The client of the invoice, and of the payment if there is one.',
    }),
    amount: cents({
      requiredUnless: 'invoice_id',
      min: 0.01,
      description:
        'If omitted: what is due, or, if that is less, the credit of the client, or what is left of the payment.',
    }),
  },
  example: { amount: 50 },
  events: {
    PaymentAllocationMade: 'created',
    PaymentAllocationChanged: 'others',
    PaymentAllocationDeleted: 'deleted',
  },
  indexes: [['payment_id'], ['invoice_id'], ['client_id']],
  totals: [
    {
      by: 'invoice_id',
      adds: { amount_paid: 'amount', amount_due: '-amount' },
      takes: { column: 'amount', from: ['amount_due'] },
    },
    {
      by: 'payment_id',
      adds: { allocated: 'amount' },
      takes: { column: 'amount', from: ['amount', '-allocated'] },
    },
  ],
  ledger: {
    ...clientLedger,
    contributions: [
      { account: 'prepaid', debit: 'amount' },
      { account: 'accounts_receivable', credit: 'amount' },
    ],
  },
});
