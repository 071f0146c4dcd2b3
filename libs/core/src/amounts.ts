// Arithmetic of amounts of money with two decimals, as texts.

import { amountOf, dividedHalfEven, unitsOf } from './decimal.js';
import { problemFor, reject } from './problem.js';

export const plus = (one: string, other: string): string => boundedAmount(unitsOf(one) + unitsOf(other));

export const minus = (one: string, other: string): string => boundedAmount(unitsOf(one) - unitsOf(other));

export const isNegative = (amount: string): boolean => unitsOf(amount) < 0n;

export const isZero = (amount: string): boolean => unitsOf(amount) === 0n;

export const least = (one: string, other: string): string => (unitsOf(one) <= unitsOf(other) ? one : other);

/** The share of an amount in proportion to a part of a whole. A half cent is rounded to the even cent; 0.00 for an empty whole. */
export const shareOf = (amount: string, part: string, whole: string): string =>
  isZero(whole) ? '0.00' : amountOf(dividedHalfEven(unitsOf(amount) * unitsOf(part), unitsOf(whole)));

const MOST = 10n ** 14n;

/**
 * Cents as an amount.
 * @throws {Rejection} 22003 for an amount that does not fit into a column
 */
export function boundedAmount(cents: bigint): string {
  if (cents <= -MOST || cents >= MOST) reject(overflow);
  return amountOf(cents);
}

const overflow = problemFor('22003', {
  message: 'the sum of the amounts is too large',
  details: 'A sum must round to an absolute value less than 10^12.',
});
