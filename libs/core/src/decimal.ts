// Amounts of money as whole cents, since floats are not exact.

/** A decimal as a whole number of its smallest units. @param scale the maximum number of digits after the point */
export function unitsOf(decimal: string, scale = 2): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
}

/** Cents as an amount with two decimals. */
export function amountOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The quotient as a whole number. A half is rounded to the nearest even number. @param divisor positive */
export function dividedHalfEven(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n;
  const positive = isNegative ? -dividend : dividend;
  const [quotient, rest] = [positive / divisor, (positive % divisor) * 2n];
  const isUp = rest > divisor || (rest === divisor && quotient % 2n === 1n);
  const rounded = isUp ? quotient + 1n : quotient;
  return isNegative ? -rounded : rounded;
}
