// The rules of an allocation: it takes what is left of a payment for what is due on an invoice of the same client.

import { invoices, paymentAllocations, payments } from '@practice/contracts';
import type { Invoice, Payment, PaymentAllocation } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { changedEvents, dependent, lookup } from '@practice/resource';
import type {
  Command,
  Commanded,
  CreateCommand,
  Decider,
  DependentCommand,
  EventOf,
  LookupContext,
} from '@practice/resource';
import { balanceAfter, balanceThrough } from '../balances.js';
import { isNegative, least, minus, plus } from '../money.js';

type Allocations = typeof paymentAllocations;

export const paymentAllocation: Decider<Allocations> = {
  definition: paymentAllocations,
  derives: true,

  lookups(command, state) {
    const record = state ?? (command.kind === 'create' ? command.record : null);
    if (record === null) return [];
    const payment = lookup(payments, 'id', [record.payment_id]);
    return [payment, lookup(invoices, 'id', [record.invoice_id]), balanceThrough(payment)];
  },

  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return [made(command, context)];
      case 'change': {
        const { amount } = command.changes;
        if (state === null || amount == null) return [];
        checkAmount(minus(amount, state.amount), partiesOf(state, context));
        return changedEvents(paymentAllocations, { amount });
      }
      case 'delete':
        return [{ type: 'PaymentAllocationDeleted', data: {} }];
    }
  },

  dependents: (commanded, context) => dependentsOf(commanded, context),
};

function made({ record }: CreateCommand<Allocations>, context: LookupContext): EventOf<Allocations> {
  const parties = partiesOf(record, context);
  const { invoice, payment } = parties;
  const { client_id } = payment;
  if (client_id !== invoice.client_id || (record.client_id ?? client_id) !== client_id) reject(otherClient);
  if (invoice.status !== 'open' && invoice.status !== 'paid') reject(notPayable(invoice));
  const amount = record.amount ?? least(invoice.amount_due, minus(payment.amount, payment.allocated));
  if (isNegative(amount) || amount === '0.00') reject(nothingLeft(parties));
  checkAmount(amount, parties);
  return { type: 'PaymentAllocationMade', data: { ...record, client_id, amount } };
}

interface Parties {
  readonly payment: Payment;
  readonly invoice: Invoice;
}

/** The payment and the invoice. A reference is checked before the rules, so both exist. */
function partiesOf(
  { payment_id, invoice_id }: Pick<PaymentAllocation, 'payment_id' | 'invoice_id'>,
  context: LookupContext,
): Parties {
  const [payment] = context.rows(payments, 'id', payment_id);
  const [invoice] = context.rows(invoices, 'id', invoice_id);
  return { payment: payment as Payment, invoice: invoice as Invoice };
}

/** @throws {Rejection} PM022 for more than the payment has left, or than is due */
function checkAmount(more: string, { payment, invoice }: Parties): void {
  const left = minus(payment.amount, payment.allocated);
  if (isNegative(minus(left, more))) reject(tooMuch(`The payment has ${left} left.`));
  if (isNegative(minus(invoice.amount_due, more)))
    reject(tooMuch(`${invoice.amount_due} is due on the invoice.`));
}

function dependentsOf(
  { before, after }: Commanded<Command<Allocations>, PaymentAllocation>,
  context: LookupContext,
): readonly DependentCommand[] {
  const record = after ?? before;
  if (record === null) return [];
  const { payment, invoice } = partiesOf(record, context);
  const more = minus(after?.amount ?? '0.00', before?.amount ?? '0.00');
  const paid = {
    amount_paid: plus(invoice.amount_paid, more),
    amount_due: minus(invoice.amount_due, more),
  };
  return [
    dependent(invoices, invoice.id, { kind: 'change', changes: paid }),
    dependent(payments, payment.id, {
      kind: 'change',
      changes: { allocated: plus(payment.allocated, more) },
    }),
    ...balanceAfter({ resource: paymentAllocations, before, after }, context),
  ];
}

const tooMuch = (details: string) => problemFor('PM022', { details });

const nothingLeft = ({ payment, invoice }: Parties) =>
  problemFor('PM022', {
    message: 'nothing is left to allocate',
    details: `The payment has ${minus(payment.amount, payment.allocated)} left, and ${invoice.amount_due} is due on the invoice.`,
  });

const notPayable = ({ status }: Invoice) =>
  problemFor('PM001', {
    message: 'only an open invoice can be paid',
    details: `The invoice is ${status}.`,
  });

const otherClient = {
  status: 409,
  code: '23503',
  message:
    'insert or update on table "payment_allocations" violates foreign key constraint "payment_allocations_client_id_fkey"',
  details: 'Payment and invoice have different clients.',
};
