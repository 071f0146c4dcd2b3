import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { tokenRequestOf } from './token-request.js';

const now = Date.parse('2026-05-01T08:00:00Z');

describe('a request for a personal token', () => {
  it('needs only a name', () =>
    expect(tokenRequestOf({ name: ' Nightly export ' }, now)).toEqual({
      name: 'Nightly export',
      expiresAt: new Date(now + 90 * 86_400_000),
      scopes: null,
    }));

  it('may contain an expiry and read_only', () =>
    expect(
      tokenRequestOf({ name: 'x', expires_at: '2026-05-02T10:00:00+02:00', read_only: true }, now),
    ).toEqual({
      name: 'x',
      expiresAt: new Date('2026-05-02T08:00:00Z'),
      scopes: ['*:read'],
    }));

  it('lists each scope only once', () =>
    expect(
      tokenRequestOf({ name: 'x', scopes: ['rpc:free_slots', 'clients:read', 'clients:read'] }, now).scopes,
    ).toEqual(['clients:read', 'rpc:free_slots']));

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
    { name: 'x', expires_at: '2027-05-02T08:00:00Z' },
    { name: 'x', scopes: ['clients:own'] },
    { name: 'x', scopes: ['clients:read', 'rpc:no_such_function'] },
    { name: 'x', scopes: ['*:read'], read_only: true },
  ])('is refused as %j', (fields) =>
    expect(() => tokenRequestOf(fields as Record<string, unknown>, now)).toThrow(Rejection),
  );
});
