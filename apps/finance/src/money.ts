// The arithmetic of invoices: two decimals, half to even by line.

import { amountOf, dividedHalfEven, reject, unitsOf } from '@practice/core';

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
  return { amount: checked(amount), tax_amount: checked(tax), total: checked(amount + tax) };
}

/** The sum of amounts. */
export const sumOf = (amounts: readonly string[]): string =>
  checked(amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n));

export const plus = (one: string, other: string): string => sumOf([one, other]);

export const minus = (one: string, other: string): string => checked(unitsOf(one) - unitsOf(other));

export const isNegative = (amount: string): boolean => unitsOf(amount) < 0n;

export const isZero = (amount: string): boolean => unitsOf(amount) === 0n;

export const least = (one: string, other: string): string => (unitsOf(one) <= unitsOf(other) ? one : other);

/** The share of an amount that a part has in a whole, half to even. */
export const shareOf = (amount: string, part: string, whole: string): string =>
  isZero(whole) ? '0.00' : amountOf(dividedHalfEven(unitsOf(amount) * unitsOf(part), unitsOf(whole)));

const MOST = 10n ** 14n;

function checked(cents: bigint): string {
  if (cents <= -MOST || cents >= MOST) reject(overflow);
  return amountOf(cents);
}

const overflow = {
  status: 400,
  code: '22003',
  message: 'numeric field overflow',
  details: 'A sum must round to an absolute value less than 10^12.',
};
