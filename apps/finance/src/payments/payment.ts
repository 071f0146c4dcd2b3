// The rules of a payment: its allocations never exceed the received amount.

import { payments } from '@practice/contracts';
import { isNegative, isZero, minus, problemFor, reject } from '@practice/core';
import { deciderOf, lookup } from '@practice/resource';

export const payment = deciderOf(payments, {
  lookups: ({ id }, { kind }) => (kind === 'delete' ? [lookup(payments, 'id', [id])] : []),

  /** @throws {Rejection} PM022 when the allocations exceed the amount */
  check({ amount, allocated }) {
    const isRefund = isNegative(amount) && isZero(allocated);
    if (!isRefund && isNegative(minus(amount, allocated))) reject(tooLittle(allocated));
  },

  /** A deletion is refused before its effect on the balance, so that the hint is shown. */
  dependents({ before, after }, context) {
    const [stored] = after === null && before !== null ? context.rows(payments, 'id', before.id) : [];
    if (stored !== undefined && !isZero(stored.allocated)) reject(tooLittle(stored.allocated));
    return [];
  },
});

const tooLittle = (allocated: string) =>
  problemFor('PM022', {
    message: 'the payment is less than its allocations',
    details: `Allocated: ${allocated}.`,
    hint: 'Delete its payment_allocations first.',
  });
