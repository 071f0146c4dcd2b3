import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partsOf } from './exports.js';

describe('the parts of a stream', () => {
  it('contain all bytes in order, and have one size except the last part', async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 50 }), async (given, size) => {
        const parts: Buffer[] = [];
        for await (const part of partsOf(Readable.from(given.map((one) => Buffer.from(one))), size))
          parts.push(part);
        expect(Buffer.concat(parts).equals(Buffer.concat(given))).toBe(true);
        expect(parts.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(parts.at(-1)?.length).toBeLessThanOrEqual(size);
        expect(parts.at(-1)?.length).toBeGreaterThan(0);
      }),
    );
  });
});
