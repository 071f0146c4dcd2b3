import { problemFor } from '@practice/core';
import { column, resource } from '@practice/resource';
import { amount, LEDGER } from './ledger-entries.js';

export const clientBalances = resource({
  name: 'client_balances',
  service: 'finance',
  aggregate: 'client_balance',
  description:
    'Debt and credit of clients, kept by the server: one record for each client who has any, with the id of the client.',
  roles: { therapist: 'none', front_desk: 'delete', billing: 'delete' },
  readOnly: true,
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    receivable: amount({ description: 'The sum of `amount_due` of open invoices.' }),
    credit: amount({ description: 'Payments and credit notes that pay no invoice yet.' }),
    balance: amount({ description: '`receivable` minus `credit`.' }),
  },
  events: { ClientBalanceOpened: 'created', ClientBalanceChanged: 'others', ClientBalanceSettled: 'deleted' },
  indexes: [['client_id']],
});

/** The ledger rules of records with a client. The balances of each client follow from these records. */
export const clientLedger = {
  into: LEDGER,
  client: 'client_id',
  balances: {
    in: clientBalances,
    sums: {
      receivable: ['accounts_receivable'],
      credit: ['-prepaid'],
      balance: ['accounts_receivable', 'prepaid'],
    },
    least: {
      credit: problemFor('PM022', {
        message: 'the client has less credit',
        details: 'Credit that pays no invoice yet: {}.',
      }),
    },
  },
} as const;
