import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@practice/contracts';
import { Rejection } from '@practice/core';
import fc from 'fast-check';
import { advance, formatCursor, parseCursor } from './cursor.js';

const position = fc.record({ position: fc.nat(), epoch: fc.nat() }, { requiredKeys: ['position'] });
const instant = fc
  .date({ min: new Date(0), max: new Date('2200-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => ({ position: 0, since: date.toISOString() }));
const cursors = fc.dictionary(fc.constantFrom(...serviceNames), fc.oneof(position, instant));

const encoded = (value: unknown): string => `1.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

describe('a cursor', () => {
  it('survives a conversion to text and back, and needs no encoding in a URL', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        const text = formatCursor(cursor);
        expect(encodeURIComponent(text)).toBe(text);
        expect(parseCursor(text)).toEqual({ ...cursor });
      }),
    );
  });

  it('advances only in the log of the event, to its position and epoch', () => {
    const from = { clients: { position: 3, epoch: 7 }, finance: { position: 1 } };
    expect(advance(from, { service: 'clients', position: 4, epoch: 8 })).toEqual({
      clients: { position: 4, epoch: 8 },
      finance: { position: 1 },
    });
    expect(advance({}, { service: 'finance', position: 1 })).toEqual({ finance: { position: 1 } });
  });

  it.each([
    ['nothing', ''],
    ['any text', 'yesterday'],
    ['another version', '2.e30'],
    ['bytes that are not JSON', '1.AAAA'],
    ['an array', encoded([1])],
    ['null', encoded(null)],
    ['a service that does not exist', encoded({ archive: 1 })],
    ['a negative position', encoded({ clients: -1 })],
    ['half a position', encoded({ clients: 0.5 })],
    ['a position as text', encoded({ clients: '1' })],
    ['a day', encoded({ clients: '2026-01-01' })],
    ['an instant that does not exist', encoded({ clients: '2026-02-30T00:00:00.000Z' })],
    ['an epoch that is text', encoded({ clients: [1, 'a'] })],
    ['a prototype', encoded(JSON.parse('{"__proto__":1}'))],
    ['a text that is too long', `1.${'A'.repeat(2_000)}`],
  ])('cannot be parsed from %s', (_what, text) => {
    expect(() => parseCursor(text)).toThrow(Rejection);
  });
});
