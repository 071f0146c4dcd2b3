import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { covering, matches } from './subjects.js';

describe('a pattern', () => {
  it.each([
    ['practice.events.>', 'practice.events.clients.p1.client.ClientRenamed', true],
    ['practice.events.*.*.*.ClientRenamed', 'practice.events.clients.p1.client.ClientRenamed', true],
    ['practice.events.*.*.ClientRenamed', 'practice.events.clients.p1.client.ClientRenamed', false],
    ['practice.events.clients.p1.client', 'practice.events.clients.p1.client.ClientRenamed', false],
    ['practice.events.>', 'practice.events', false],
  ])('%s against %s', (pattern, subject, expected) => {
    expect(matches(pattern, subject)).toBe(expected);
  });
});

describe('the cover of patterns', () => {
  it.each([
    [['a.b.c'], 'a.b.c'],
    [['a.b.c', 'a.b.d'], 'a.b.*'],
    [['a.b.c', 'a.x.d'], 'a.*.*'],
    [['a.b.>', 'a.b.c.d'], 'a.b.>'],
    [['a.b', 'a.b.c'], 'a.>'],
    [['a.*.c', 'a.b.c'], 'a.*.c'],
  ])('%j is %s', (patterns, expected) => {
    expect(covering(patterns)).toBe(expected);
  });

  it('matches every subject that one of them matches', () => {
    const token = fc.constantFrom('a', 'b', 'c');
    const subject = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join('.'));
    const pattern = fc
      .tuple(
        fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '.>'),
      )
      .map(([tokens, end]) => tokens.join('.') + end);
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), subject, (patterns, sent) => {
        if (patterns.some((one) => matches(one, sent))) expect(matches(covering(patterns), sent)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
