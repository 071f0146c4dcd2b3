import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { tokenRequestOf } from './token-request.js';

const now = Date.parse('2026-05-01T08:00:00Z');

describe('a request for a personal token', () => {
  it('needs only a name', () =>
    expect(tokenRequestOf({ name: ' Nightly export ' }, now)).toEqual({
      name: 'Nightly export',
      expiresAt: null,
      isReadOnly: false,
    }));

  it('may say until when it is good, and that it only reads', () =>
    expect(
      tokenRequestOf({ name: 'x', expires_at: '2026-05-02T10:00:00+02:00', read_only: true }, now),
    ).toEqual({
      name: 'x',
      expiresAt: new Date('2026-05-02T08:00:00Z'),
      isReadOnly: true,
    }));

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
    expect(() => tokenRequestOf(fields as Record<string, unknown>, now)).toThrow(Rejection),
  );
});
