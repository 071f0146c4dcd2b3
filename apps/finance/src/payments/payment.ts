// The rules of a payment: what it pays is never more than what was received.

import { payments } from '@practice/contracts';
import { isNegative, isZero, minus, problemFor, reject } from '@practice/core';
import { booked } from '../balances.js';

export const payment = booked(payments, {
  /** @throws {Rejection} PM022 when its allocations are more */
  check({ amount, allocated }) {
    const isRefund = isNegative(amount) && isZero(allocated);
    if (!isRefund && isNegative(minus(amount, allocated))) reject(tooLittle(allocated));
  },
});

const tooLittle = (allocated: string) =>
  problemFor('PM022', {
    message: 'the payment is less than its allocations',
    details: `Allocated: ${allocated}.`,
  });
