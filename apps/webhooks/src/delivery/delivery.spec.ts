import { describe, expect, it } from '@jest/globals';
import { retryAt } from './delivery.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('an event that could not be delivered', () => {
  it('is sent again after increasing waits, in at most ten attempts', () => {
    const waits = Array.from({ length: 10 }, (_, index) => retryAt(index + 1, 0)?.getTime() ?? null);
    expect(waits).toEqual([
      ...[5_000, 5 * MINUTE, 30 * MINUTE],
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
      null,
    ]);
  });
});
