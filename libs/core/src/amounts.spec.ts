import { describe, expect, it } from '@jest/globals';
import { shareOf, sumOf } from './amounts.js';

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

describe('a sum', () => {
  it('that no column holds is refused', () => {
    expect(() => sumOf(['999999999999.99', '0.01'])).toThrow('22003');
  });
});
