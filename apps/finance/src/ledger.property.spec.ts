import { describe, expect, it } from '@jest/globals';
import { catalog, resourcesOf } from '@practice/contracts';
import { unitsOf } from '@practice/core';
import { deciderOf, newRecord } from '@practice/resource';
import type { Command, Decider, Resource, Row } from '@practice/resource';
import fc from 'fast-check';
import { finalizing } from './invoices/finalizing.js';
import * as rules from './rules.js';
import { PracticeInMemory, type Booked } from './testing/practice-in-memory.js';

const therapistId = '018f0000-0000-7000-8000-000000000001';
const clients = ['c1', 'c2', 'c3'].map((end) => `018f0000-0000-7000-8000-0000000000${end}`);

const isDecider = (rule: unknown): rule is Decider =>
  typeof rule === 'object' && rule !== null && 'decide' in rule;
const deciders = new Map<string, Decider>(
  [
    ...resourcesOf('finance').map((resource) => deciderOf(resource)),
    ...Object.values(rules as Readonly<Record<string, unknown>>).filter(isDecider),
  ].map((decider) => [decider.definition.name, decider]),
);
const invoice = deciders.get('invoices') as Decider;
const finalized = finalizing as unknown as Decider;
deciders.set('invoices', {
  ...invoice,
  lookups: finalized.lookups,
  decide: (command, state, context) => {
    const isFinalizing = command.kind === 'change' && 'issued_on' in command.changes;
    return (isFinalizing ? finalized : invoice).decide(command, state, context);
  },
});

interface Step {
  readonly kind: number;
  readonly pick: number;
  readonly cents: number;
}

const KINDS = [
  ...['invoice', 'item', 'item', 'item', 'change item', 'remove item', 'finalize', 'finalize'],
  ...[
    'payment',
    'payment',
    'refund',
    'delete payment',
    'allocate',
    'allocate',
    'allocate',
    'reallocate',
    'allocate credit',
  ],
  ...['release', 'credit', 'void', 'lose', 'reopen', 'expense', 'correct', 'delete expense'],
  ...['delete invoice', 'prefix'],
] as const;

const ids = (): (() => string) => {
  let count = 0;
  return () => `018f0000-0000-7000-8000-${(++count).toString(16).padStart(12, '0')}`;
};

const money = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Executes one random command that a caller could send. */
function act(practice: PracticeInMemory, { kind, pick, cents }: Step, id: () => string): string | undefined {
  const one = (resource: string): Row | undefined => {
    const rows = practice.all(resource).slice(-40);
    return rows[pick % Math.max(rows.length, 1)];
  };
  const create = (resource: string, values: Row): string | undefined => {
    const made = id();
    const definition = catalog.resources.get(resource) as Resource;
    const record = newRecord(definition, values, {
      therapistId,
      now: '2026-05-01T08:00:00+00:00',
      id: () => made,
    });
    return practice.execute(resource, made, { kind: 'create', record });
  };
  const send = (resource: string, command: Command): string | undefined => {
    const row = one(resource);
    return row === undefined ? undefined : practice.execute(resource, String(row['id']), command);
  };
  const change = (resource: string, changes: Row) => send(resource, { kind: 'change', changes });
  const [client, invoice] = [clients[pick % 3] as string, one('invoices')?.['id'] ?? null];
  const amount = money(cents);
  const received = { client_id: client, date: '2026-05-01', method: 'cash' };
  switch (KINDS[kind % KINDS.length]) {
    case 'invoice':
      return create('invoices', { client_id: client });
    case 'item':
      if (invoice === null) return undefined;
      return create('invoice_items', {
        invoice_id: invoice,
        description: 'x',
        unit_price: amount,
        quantity: '1.50',
      });
    case 'change item':
      return change('invoice_items', { unit_price: amount });
    case 'remove item':
      return send('invoice_items', { kind: 'delete' });
    case 'finalize':
      return change('invoices', { issued_on: '2026-05-01' });
    case 'payment':
      return create('payments', { ...received, amount });
    case 'refund':
      return create('payments', { ...received, amount: `-${amount}` });
    case 'allocate': {
      const payment = one('payments');
      if (invoice === null || payment === undefined) return undefined;
      const values = { payment_id: String(payment['id']), invoice_id: invoice };
      return create('payment_allocations', cents % 2 === 0 ? values : { ...values, amount });
    }
    case 'allocate credit':
      return invoice === null ? undefined : create('payment_allocations', { invoice_id: invoice, amount });
    case 'reallocate':
      return change('payment_allocations', { amount });
    case 'delete payment':
      return send('payments', { kind: 'delete' });
    case 'release':
      return send('payment_allocations', { kind: 'delete' });
    case 'credit':
      return invoice === null
        ? undefined
        : create('credit_notes', { invoice_id: invoice, reason: 'x', total: amount });
    case 'void':
      return change('invoices', { status: 'void' });
    case 'lose':
      return change('invoices', { status: 'uncollectible' });
    case 'reopen':
      return change('invoices', { status: 'open' });
    case 'expense':
      return create('expenses', { date: '2026-05-01', amount });
    case 'correct':
      return change('expenses', { amount });
    case 'delete expense':
      return send('expenses', { kind: 'delete' });
    case 'delete invoice':
      return send('invoices', { kind: 'delete' });
    default:
      return practice.execute('billing_settings', therapistId, {
        kind: 'change',
        changes: { invoice_prefix: 'R' },
      });
  }
}

type Totals = Record<string, bigint>;

/** The totals by account, computed from the types of the events and not from the definition of the ledger. */
function independentTotals(events: readonly Booked[]): Totals {
  const totals: Totals = {};
  const book = (account: string, cents: bigint): void => {
    totals[account] = (totals[account] ?? 0n) + cents;
  };
  const transfer = (amount: unknown, debit: string, credit: string): void => {
    book(debit, unitsOf(String(amount)));
    book(credit, -unitsOf(String(amount)));
  };
  for (const { type, before, after } of events) {
    switch (type) {
      case 'InvoiceFinalized':
        transfer(after?.['subtotal'], 'accounts_receivable', 'revenue');
        transfer(after?.['tax_total'], 'accounts_receivable', 'tax');
        break;
      case 'InvoiceVoided':
        transfer(after?.['subtotal'], 'revenue', 'accounts_receivable');
        transfer(after?.['tax_total'], 'tax', 'accounts_receivable');
        break;
      case 'InvoiceMarkedUncollectible':
        transfer(after?.['amount_due'], 'bad_debt', 'accounts_receivable');
        break;
      case 'InvoiceReopened':
        if (before?.['status'] === 'uncollectible')
          transfer(after?.['amount_due'], 'accounts_receivable', 'bad_debt');
        break;
      case 'InvoiceSettled':
        if (after?.['status'] !== 'uncollectible') break;
        transfer(before?.['amount_due'], 'accounts_receivable', 'bad_debt');
        transfer(after['amount_due'], 'bad_debt', 'accounts_receivable');
        break;
      case 'PaymentRecorded':
        transfer(after?.['amount'], 'cash', 'prepaid');
        break;
      case 'PaymentDeleted':
        transfer(before?.['amount'], 'prepaid', 'cash');
        break;
      case 'PaymentAllocationChanged':
        transfer(before?.['amount'], 'accounts_receivable', 'prepaid');
        transfer(after?.['amount'], 'prepaid', 'accounts_receivable');
        break;
      case 'PaymentAllocationMade':
        transfer(after?.['amount'], 'prepaid', 'accounts_receivable');
        break;
      case 'PaymentAllocationDeleted':
        transfer(before?.['amount'], 'accounts_receivable', 'prepaid');
        break;
      case 'CreditNoteIssued':
        transfer(after?.['applied'], 'revenue', 'accounts_receivable');
        transfer(after?.['credited'], 'revenue', 'prepaid');
        transfer(after?.['tax_total'], 'tax', 'revenue');
        break;
      case 'ExpenseRecorded':
      case 'ExpenseCorrected':
      case 'ExpenseDeleted':
        transfer(after?.['amount'] ?? '0', 'expenses', 'cash');
        transfer(before?.['amount'] ?? '0', 'cash', 'expenses');
        break;
      default:
    }
  }
  return withoutZeros(totals);
}

const withoutZeros = (totals: Totals): Totals =>
  Object.fromEntries(Object.entries(totals).filter(([, cents]) => cents !== 0n));

const sum = (amounts: readonly unknown[]): bigint =>
  amounts.reduce<bigint>((all, one) => all + unitsOf(String(one)), 0n);

const steps = fc.array(
  fc.record({
    kind: fc.nat(KINDS.length - 1),
    pick: fc.nat(1000),
    cents: fc.integer({ min: 1, max: 50_000 }),
  }),
  { minLength: 1000, maxLength: 1000 },
);

/** 100 practices with 1,000 commands each. */
const practices = { numRuns: 100, seed: 7, endOnFailure: true };

describe('the ledger of 100,000 random commands', () => {
  it('balances at every position, and agrees with an independent fold, the invoices and the clients', () => {
    const property = fc.property(steps, (commands) => {
      const practice = new PracticeInMemory(deciders);
      const id = ids();
      for (const command of commands) act(practice, command, id);
      const totals: Totals = {};
      for (const { lines } of practice.events) {
        for (const { account, debit, credit } of lines)
          totals[account] = (totals[account] ?? 0n) + unitsOf(debit) - unitsOf(credit);
        const rest = Object.values(totals).reduce((all, cents) => all + cents, 0n);
        if (rest !== 0n) expect(rest).toBe(0n);
      }
      expect(withoutZeros(totals)).toEqual(independentTotals(practice.events));
      const open = practice.all('invoices').filter(({ status }) => status === 'open' || status === 'paid');
      expect(totals['accounts_receivable'] ?? 0n).toBe(sum(open.map((row) => row['amount_due'])));
      const balances = practice.all('client_balances');
      expect(sum(balances.map((row) => row['receivable']))).toBe(totals['accounts_receivable'] ?? 0n);
      expect(sum(balances.map((row) => row['credit']))).toBe(-(totals['prepaid'] ?? 0n));
      const numbers = practice.events
        .filter(({ type }) => type === 'InvoiceFinalized')
        .map(({ data }) => data);
      expect(
        numbers.map((data) =>
          Number(
            String((data as Row)['number'])
              .split('-')
              .at(-1),
          ),
        ),
      ).toEqual(numbers.map((_, index) => index + 1));
    });
    fc.assert(property, practices);
  });
});
