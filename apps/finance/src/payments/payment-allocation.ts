// The rules of an allocation: it takes what is left of a payment for what is due on an invoice of the same client.

import { invoices, paymentAllocations, payments } from '@practice/contracts';
import type { Invoice, Payment, PaymentAllocation } from '@practice/contracts';
import { isNegative, isZero, least, minus, problemFor, reject } from '@practice/core';
import { deciderOf, type LookupContext } from '@practice/resource';

export const paymentAllocation = deciderOf(paymentAllocations, {
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
