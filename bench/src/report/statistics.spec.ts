import { describe, expect, it } from '@jest/globals';
import { median, percentile, ratios } from './statistics.js';

describe('statistics', () => {
  it('take the middle of what was measured', () => {
    expect(median([5, 1, 9])).toBe(5);
    expect(median([4, 1, 9, 6])).toBe(5);
    expect(median([])).toBeNaN();
  });

  it('count a percentile by rank', () => {
    const sorted = Float64Array.from({ length: 200 }, (_, index) => index + 1);
    expect(percentile(sorted, 0.5)).toBe(100);
    expect(percentile(sorted, 0.99)).toBe(198);
    expect(percentile(new Float64Array(), 0.99)).toBeNaN();
  });

  it('compare each round with itself, so that a slow one slows both sides', () => {
    expect(ratios([70, 35, 72], [100, 50, 120])).toEqual([0.7, 0.7, 0.6]);
  });
});
