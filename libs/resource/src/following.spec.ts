import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { column } from './column.js';
import type { LookupContext } from './decider.js';
import { followed } from './following.js';
import { resource } from './resource.js';

const amount = column.decimal(14, 2);
const lines = resource({
  ...{ name: 'lines', service: 'shop', aggregate: 'line', description: '' },
  columns: {
    quantity: column.decimal(10, 2)({ required: true }),
    unit_price: column.money({ required: true }),
    tax_rate: column.decimal(6, 3)({ required: true }),
    amount: amount({ readOnly: true, productOf: ['quantity', 'unit_price'] }),
    tax_amount: amount({ readOnly: true, percentOf: ['amount', 'tax_rate'] }),
    total: amount({ readOnly: true, sumOf: ['amount', 'tax_amount'] }),
    rest: amount({ readOnly: true, sumOf: ['total', '-amount'] }),
  },
  events: { LineAdded: 'created', LineChanged: 'others', LineRemoved: 'deleted' },
});

const context = { rows: () => [] } as unknown as LookupContext;
const line = (quantity: string, unit_price: string, tax_rate = '0.000') => {
  const record = { quantity, unit_price, tax_rate };
  return followed(lines, { command: { kind: 'create', record }, state: null, next: record }, context);
};

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

  it('differ from the exact product by at most half a cent, and are even at exactly half a cent', () => {
    const cents = fc.integer({ min: -999_999, max: 999_999 });
    const property = fc.property(cents, cents, (quantity, price) => {
      const text = (value: number) =>
        `${value < 0 ? '-' : ''}${String(Math.abs(value)).padStart(3, '0').replace(/(..)$/, '.$1')}`;
      const { amount: product } = line(text(quantity), text(price));
      const rounded = BigInt(String(product).replace('.', ''));
      const twice = 2n * (rounded * 100n - BigInt(quantity) * BigInt(price));
      const distance = twice < 0n ? -twice : twice;
      expect(distance <= 100n).toBe(true);
      if (distance === 100n) expect(rounded % 2n).toBe(0n);
    });
    fc.assert(property, { numRuns: 2000, seed: 7 });
  });

  it('are added and subtracted', () => {
    expect(line('2.00', '10.00', '19.000')).toMatchObject({ total: '23.80', rest: '3.80' });
  });

  it('are refused if they do not fit into a column', () => {
    expect(() => line('99999999.99', '99999999.99')).toThrow('22003');
  });
});
