import { describe, expect, it } from '@jest/globals';
import { limits, packedCount } from '@practice/query';
import { checkSize } from './subqueries.js';

const UUID_BYTES = 16;
const packed = (count: number): string => Buffer.alloc(count * UUID_BYTES, 1).toString('base64');
const known = (count: number, values: string | null = null) => ({
  path: [0],
  matching: packed(count),
  values,
  ranks: [],
});

describe('semi-join keys', () => {
  it('are counted in their packed form', () => {
    expect([0, 1, 2, 3, 1000].map((count) => packedCount(packed(count)))).toEqual([0, 1, 2, 3, 1000]);
  });

  it('fit into a message up to the limit of one relation, and are rejected above it', () => {
    expect(() => checkSize([known(limits.travellingKeys)])).not.toThrow();
    expect(() => checkSize([known(limits.travellingKeys), known(limits.travellingKeys)])).toThrow('PM400');
    expect(() => checkSize([known(1, 'x'.repeat(1_400_000))])).toThrow('PM400');
  });
});
