import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shareOf, sumOf } from '@practice/core';
import { lineAmounts } from './money.js';

const line = (quantity: string, unit_price: string, tax_rate = '0.000') =>
  lineAmounts({ quantity, unit_price, tax_rate });

describe('the amounts of a line', () => {
  it.each([
    ['0.50', '0.05', '0.000', '0.02', '0.00'],
    ['0.50', '0.07', '0.000', '0.04', '0.00'],
    ['-0.50', '0.05', '0.000', '-0.02', '0.00'],
    ['1.00', '100.00', '7.700', '100.00', '7.70'],
    ['1.00', '0.50', '19.000', '0.50', '0.10'],
    ['1.00', '2.50', '1.000', '2.50', '0.02'],
    ['1.00', '3.50', '1.000', '3.50', '0.04'],
    ['3.00', '33.33', '8.875', '99.99', '8.87'],
  ])('%s at %s with %s percent are rounded half to even', (quantity, price, rate, amount, tax) => {
    expect(line(quantity, price, rate)).toMatchObject({ amount, tax_amount: tax });
  });

  it('differ from the exact product by at most half a cent, which is even at a half', () => {
    const cents = fc.integer({ min: -999_999, max: 999_999 });
    const property = fc.property(cents, cents, (quantity, price) => {
      const text = (value: number) =>
        `${value < 0 ? '-' : ''}${String(Math.abs(value)).padStart(3, '0').replace(/(..)$/, '.$1')}`;
      const { amount } = line(text(quantity), text(price));
      const rounded = BigInt(amount.replace('.', ''));
      const twice = 2n * (rounded * 100n - BigInt(quantity) * BigInt(price));
      const distance = twice < 0n ? -twice : twice;
      expect(distance <= 100n).toBe(true);
      if (distance === 100n) expect(rounded % 2n).toBe(0n);
    });
    fc.assert(property, { numRuns: 2000, seed: 7 });
  });

  it('that a column does not hold are refused', () => {
    expect(() => line('99999999.99', '99999999.99')).toThrow('22003');
    expect(() => sumOf(['999999999999.99', '0.01'])).toThrow('22003');
  });
});

describe('the share of a tax in part of a total', () => {
  it.each([
    ['59.50', '19.00', '119.00', '9.50'],
    ['0.01', '19.00', '119.00', '0.00'],
    ['119.00', '19.00', '119.00', '19.00'],
    ['10.00', '0.00', '0.00', '0.00'],
  ])('of %s is its part', (amount, part, whole, share) => {
    expect(shareOf(amount, part, whole)).toBe(share);
  });
});
