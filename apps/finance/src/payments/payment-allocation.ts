// The rules of an allocation: it takes what is left of a payment for what is due on an invoice of the same client.

import { invoices, paymentAllocations, payments } from '@practice/contracts';
import type { Invoice, Payment, PaymentAllocation } from '@practice/contracts';
import { isNegative, isZero, least, minus, plus, problemFor, reject } from '@practice/core';
import { dependent, type LookupContext } from '@practice/resource';
import { booked } from '../balances.js';

export const paymentAllocation = booked(paymentAllocations, {
  reads: ['payment_id', 'invoice_id'],

  create(record, context) {
    const { payment, invoice } = partiesOf(record, context);
    if (invoice.status !== 'open' && invoice.status !== 'paid') reject(notPayable(invoice));
    const left = minus(payment.amount, payment.allocated);
    const amount = record.amount ?? least(invoice.amount_due, left);
    if (isNegative(amount) || isZero(amount)) reject(nothingLeft(left, invoice));
    checkAmount(amount, { payment, invoice });
    return { amount };
  },

  change(state, { changes: { amount } }, context) {
    if (amount == null) return [];
    checkAmount(minus(amount, state.amount), partiesOf(state, context));
    return { amount };
  },

  dependents({ before, after }, context) {
    const { payment, invoice } = partiesOf((after ?? before) as PaymentAllocation, context);
    const more = minus(after?.amount ?? '0.00', before?.amount ?? '0.00');
    const paid = {
      amount_paid: plus(invoice.amount_paid, more),
      amount_due: minus(invoice.amount_due, more),
    };
    const allocated = plus(payment.allocated, more);
    return [
      dependent(invoices, invoice.id, { kind: 'change', changes: paid }),
      dependent(payments, payment.id, { kind: 'change', changes: { allocated } }),
    ];
  },
});

interface Parties {
  readonly payment: Payment;
  readonly invoice: Invoice;
}

/** The payment and the invoice. A reference is checked before the rules, so both exist. */
const partiesOf = (
  { payment_id, invoice_id }: Pick<PaymentAllocation, 'payment_id' | 'invoice_id'>,
  context: LookupContext,
): Parties => ({
  payment: context.rows(payments, 'id', payment_id)[0] as Payment,
  invoice: context.rows(invoices, 'id', invoice_id)[0] as Invoice,
});

/** @throws {Rejection} PM022 for more than the payment has left, or than is due */
function checkAmount(more: string, { payment, invoice }: Parties): void {
  const left = minus(payment.amount, payment.allocated);
  if (isNegative(minus(left, more))) reject(tooMuch(`The payment has ${left} left.`));
  if (isNegative(minus(invoice.amount_due, more)))
    reject(tooMuch(`${invoice.amount_due} is due on the invoice.`));
}

const tooMuch = (details: string) => problemFor('PM022', { details });

const nothingLeft = (left: string, { amount_due: due }: Invoice) =>
  problemFor('PM022', {
    message: 'nothing is left to allocate',
    details: `The payment has ${left} left, and ${due} is due on the invoice.`,
  });

const notPayable = ({ status }: Invoice) =>
  problemFor('PM001', {
    message: 'only an open invoice can be paid',
    details: `The invoice is ${status}.`,
  });
