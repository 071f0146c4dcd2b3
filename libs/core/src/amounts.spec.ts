import { describe, expect, it } from '@jest/globals';
import { plus, shareOf } from './amounts.js';

describe('the share of an amount', () => {
  it.each([
    ['59.50', '19.00', '119.00', '9.50'],
    ['0.01', '19.00', '119.00', '0.00'],
    ['119.00', '19.00', '119.00', '19.00'],
    ['10.00', '0.00', '0.00', '0.00'],
  ])('%s for the part %s of %s is %s', (amount, part, whole, share) => {
    expect(shareOf(amount, part, whole)).toBe(share);
  });
});

describe('a sum', () => {
  it('is refused if it does not fit into a column', () => {
    expect(() => plus('999999999999.99', '0.01')).toThrow('22003');
  });
});
