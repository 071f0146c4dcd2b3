import { describe, expect, it } from '@jest/globals';
import { limits, packedCount } from '@practice/query';
import { checkSize } from './parts.js';

const UUID_BYTES = 16;
const packed = (count: number): string => Buffer.alloc(count * UUID_BYTES, 1).toString('base64');
const known = (count: number, values: string | null = null) => ({
  path: [0],
  matching: packed(count),
  values,
  ranks: [],
});

describe('keys that travel', () => {
  it('are counted without being unpacked', () => {
    expect([0, 1, 2, 3, 1000].map((count) => packedCount(packed(count)))).toEqual([0, 1, 2, 3, 1000]);
  });

  it('fit into a message as many as one relation may have, and are refused rather than cut beyond', () => {
    expect(() => checkSize([known(limits.travellingKeys)])).not.toThrow();
    expect(() => checkSize([known(limits.travellingKeys), known(limits.travellingKeys)])).toThrow('PM400');
    expect(() => checkSize([known(1, 'x'.repeat(1_400_000))])).toThrow('PM400');
  });
});
