import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gatherLines } from './log-lines.js';

const SIZE = 64;

function gathering() {
  const delivered: string[] = [];
  return { delivered, lines: gatherLines(SIZE, (bytes) => delivered.push(bytes.toString())) };
}

describe('gatherLines', () => {
  it('keeps lines until enough of them have been collected', () => {
    const { delivered, lines } = gathering();
    lines.write('first of them\n');
    lines.write('second of all\n');
    expect(delivered).toEqual([]);
    for (let rest = 0; rest < 3; rest += 1) lines.write('one after it\n');
    expect(delivered).toEqual(['first of them\nsecond of all\none after it\none after it\none after it\n']);
  });

  it('writes collected lines when flushed, and nothing without lines', () => {
    const { delivered, lines } = gathering();
    lines.flush();
    lines.write('one\n');
    lines.flush();
    lines.flush();
    expect(delivered).toEqual(['one\n']);
  });

  it('loses, repeats and cuts no line, for any text', () => {
    const line = fc.string({ unit: 'binary', maxLength: 200 }).map((text) => `${text.toWellFormed()}\n`);
    fc.assert(
      fc.property(fc.array(line), (written) => {
        const { delivered, lines } = gathering();
        written.forEach(lines.write);
        lines.flush();
        expect(delivered.join('')).toBe(written.join(''));
        expect(delivered.every((chunk) => chunk.endsWith('\n'))).toBe(true);
      }),
    );
  });
});
