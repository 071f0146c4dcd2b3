import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { tokenWishOf } from './token-wish.js';

const now = Date.parse('2026-05-01T08:00:00Z');

describe('a wish for a personal token', () => {
  it('needs a name alone', () =>
    expect(tokenWishOf({ name: ' Nightly export ' }, now)).toEqual({
      name: 'Nightly export',
      expiresAt: null,
      isReadOnly: false,
    }));

  it('may say until when it is good, and that it only reads', () =>
    expect(tokenWishOf({ name: 'x', expires_at: '2026-05-02T10:00:00+02:00', read_only: true }, now)).toEqual(
      {
        name: 'x',
        expiresAt: new Date('2026-05-02T08:00:00Z'),
        isReadOnly: true,
      },
    ));

  it.each<object>([
    {},
    { name: '' },
    { name: '   ' },
    { name: 7 },
    { name: 'x'.repeat(101) },
    { name: 'a\u0000b' },
    { name: 'a\nb' },
    { name: 'a\ud800' },
    { name: 'x', read_only: 'yes' },
    { name: 'x', expires_at: 'tomorrow' },
    { name: 'x', expires_at: '2026-05-02' },
    { name: 'x', expires_at: '2026-05-01T08:00:00Z' },
    { name: 'x', expires_at: '2026-13-01T08:00:00Z' },
    { name: 'x', expires_at: '2027-02-29T08:00:00Z' },
    { name: 'x', expires_at: 1_800_000_000 },
  ])('is refused as %j', (fields) =>
    expect(() => tokenWishOf(fields as Record<string, unknown>, now)).toThrow(Rejection),
  );
});
