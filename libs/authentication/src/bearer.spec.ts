import { describe, expect, it } from '@jest/globals';
import { outcomeOf, type Problem } from '@practice/core';
import { bearerOf } from './bearer.js';

const messageOf = (header: string | undefined): string =>
  (outcomeOf(() => bearerOf(header, 'anon')) as Problem).message;

describe('the bearer of a request', () => {
  it.each(['Bearer a.b.c', 'bearer a.b.c', 'BEARER   a.b.c', ' Bearer a.b.c '])('is found in %j', (header) =>
    expect(bearerOf(header, 'anon')).toBe('a.b.c'),
  );

  it.each([undefined, '', 'Basic eDp5', 'a.b.c', 'Bearers a.b.c', 'Bearer anon'])(
    'is anonymous in %j',
    (header) => expect(messageOf(header)).toBe('Anonymous access is disabled'),
  );

  it.each(['Bearer', 'Bearer ', 'bearer    '])('is empty in %j', (header) =>
    expect(messageOf(header)).toBe('Empty JWT is sent in Authorization header'),
  );

  it('is found after any number of spaces', () =>
    expect(bearerOf(`Bearer${' '.repeat(50_000)}x`, 'anon')).toBe('x'));
});
