import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isLike } from './like.js';

/** Whether the pattern matches, by an equivalent regular expression. The expression may take any time. */
function expected(text: string, pattern: string): boolean {
  const parts = [...pattern.matchAll(/\\([^]?)|[^]/gu)].map(([whole, escaped]) => {
    if (escaped !== undefined) return literal(escaped || '\\');
    if (whole === '%') return '[^]*';
    return whole === '_' ? '[^]' : literal(whole);
  });
  return new RegExp(`^${parts.join('')}$`, 'u').test(text);
}

const literal = (text: string): string => `\\u{${(text.codePointAt(0) as number).toString(16)}}`;

const letters = fc.constantFrom('a', 'b', '%', '_', '\\', '\n', 'é', '😀');
const texts = fc.string({ unit: letters, maxLength: 80 });
const patterns = fc.string({ unit: letters, maxLength: 80 });

describe('a pattern of LIKE', () => {
  it('matches the texts that an equivalent regular expression matches', () => {
    fc.assert(
      fc.property(texts, patterns, (text, pattern) => {
        expect(isLike(text, pattern)).toBe(expected(text, pattern));
      }),
    );
  });

  it('matches every text that is made from it', () => {
    const part = fc.oneof(
      letters.map((letter) => ({ pattern: `\\${letter}`, text: letter })),
      letters.map((letter) => ({ pattern: '_', text: letter })),
      fc.string({ unit: letters, maxLength: 5 }).map((text) => ({ pattern: '%', text })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
        const join = (of: 'pattern' | 'text'): string => parts.map((each) => each[of]).join('');
        expect(isLike(join('text'), join('pattern'))).toBe(true);
      }),
    );
  });

  it('looks at each character of a text once, whatever the pattern is', () => {
    const [text, many] = ['a'.repeat(60_000), '%a'.repeat(120)];
    expect([many, `%${'a'.repeat(240)}`, '_%'].map((pattern) => isLike(text, pattern))).toEqual([
      true,
      true,
      true,
    ]);
    expect([`${many}b`, `%${'a'.repeat(240)}b`].map((pattern) => isLike(text, pattern))).toEqual([
      false,
      false,
    ]);
  });
});
