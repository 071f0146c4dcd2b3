import { describe, it } from '@jest/globals';
import { clientBalances, invoices, paymentAllocations, payments } from '@practice/contracts';
import { deciderOf, type Draft } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';

const [invoice_id, payment_id, client_id] = ['a1', 'b1', 'c1'].map(
  (end) => `018f0000-0000-7000-8000-0000000000${end}`,
) as [string, string, string];
const allocation = recordsOf(paymentAllocations, { invoice_id, client_id, amount: '1.00' });
const create = (but: object = {}) =>
  ({
    kind: 'create',
    record: { ...allocation(), client_id: null, amount: null, ...but } as Draft<typeof paymentAllocations>,
  }) as const;
const made = (amount: string, but: object = {}) =>
  ({ type: 'PaymentAllocationMade', data: allocation({ amount, ...but }) }) as const;
const given = specOf(deciderOf(paymentAllocations))().among(invoices, {
  ...{ id: invoice_id, client_id, status: 'open', amount_due: '100.00' },
});
const withCredit = (credit: string) => given.among(clientBalances, { id: client_id, client_id, credit });

describe('an allocation of credit without an amount', () => {
  it('takes what is due, or the credit if that is less', () => {
    withCredit('150.00').when(create()).then(made('100.00'));
    withCredit('60.00').when(create()).then(made('60.00'));
    withCredit('60.00')
      .when(create({ amount: '60.01' }))
      .then(made('60.01'));
  });

  it('takes what is due if there is no credit, so that its effect on the balance is refused', () => {
    given.when(create()).then(made('100.00'));
  });
});

it('an allocation of a payment without an amount takes what is left of the payment, or the credit if that is less', () => {
  const paid = (credit: string) =>
    withCredit(credit).among(payments, { id: payment_id, client_id, amount: '80.00', allocated: '10.00' });
  paid('70.00').when(create({ payment_id })).then(made('70.00', { payment_id }));
  // A part of the payment was paid back.
  paid('50.00').when(create({ payment_id })).then(made('50.00', { payment_id }));
});
