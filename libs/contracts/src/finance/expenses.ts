import { column, external, resource } from '@practice/resource';
import { cents, LEDGER } from './ledger-entries.js';

const imported = external('expenses');

export const expenses = resource({
  name: 'expenses',
  service: 'finance',
  aggregate: 'expense',
  description: 'Expenses of the practice.',
  roles: { therapist: 'none', billing: 'delete' },
  columns: {
    date: column.date({ required: true }),
    amount: cents({
      required: true,
      not: 0,
      description: 'Two decimals, in the `currency` of `practice_settings`. A negative amount is a refund.',
    }),
    category: column.text({ default: 'uncategorized', notBlank: true, maxLength: 320 }),
    description: column.text({}),
    vendor: column.text({ maxLength: 320 }),
    ...imported.columns,
  },
  events: {
    ExpenseRecorded: 'created',
    ExpenseCorrected: 'others',
    ExpenseDeleted: 'deleted',
  },
  uniques: [imported.unique],
  indexes: [['date']],
  search: { title: 'vendor', in: ['vendor', 'description', 'category'] },
  ledger: {
    into: LEDGER,
    date: 'date',
    contributions: [
      { account: 'expenses', debit: 'amount' },
      { account: 'cash', credit: 'amount' },
    ],
  },
});
