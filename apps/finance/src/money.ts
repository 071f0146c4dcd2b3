// The arithmetic of invoices: two decimals, half to even by line.

import { boundedAmount, dividedHalfEven, unitsOf } from '@practice/core';

/** The amounts of a line. */
export interface LineAmounts {
  readonly amount: string;
  readonly tax_amount: string;
  readonly total: string;
}

interface Line {
  readonly quantity: string;
  readonly unit_price: string;
  /** Percent, with three decimals. */
  readonly tax_rate: string;
}

/** @throws {Rejection} 22003 for more than a column holds */
export function lineAmounts({ quantity, unit_price: price, tax_rate: rate }: Line): LineAmounts {
  const amount = dividedHalfEven(unitsOf(quantity) * unitsOf(price), 100n);
  const tax = dividedHalfEven(amount * unitsOf(rate, 3), 100_000n);
  return {
    amount: boundedAmount(amount),
    tax_amount: boundedAmount(tax),
    total: boundedAmount(amount + tax),
  };
}
