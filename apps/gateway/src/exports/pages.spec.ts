import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linesOf, rowsOf } from './pages.js';

const row = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));

describe('the rows of a JSON array as lines', () => {
  it('are the rows, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const texts = rows.map((one) => JSON.stringify(one));
        expect(rowsOf(Buffer.from(`[${texts.join(',')}]`)).map(String)).toEqual(texts);
      }),
    );
  });

  it('keep numbers as they are written, and text that looks like the end of a row', () => {
    const texts = ['{"amount":110.00,"big":12345678901234567890}', '{"text":"],\\"[{,\\\\"}'];
    expect(linesOf(rowsOf(Buffer.from(`[${texts.join(',')}]`))).toString()).toBe(`${texts.join('\n')}\n`);
  });

  it('are empty for an empty array', () => {
    expect(linesOf(rowsOf(Buffer.from('[]'))).toString()).toBe('');
  });
});
