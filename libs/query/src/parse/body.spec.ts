import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseBody } from './body.js';
import { csvRecords } from './csv.js';

const rowsOf = (text: string, contentType?: string) =>
  parseBody({ bytes: new TextEncoder().encode(text), contentType, isChosen: false });

describe('a body', () => {
  it.each([
    ['JSON', '[{"a":1},{"a":null}]', 'application/json; charset=utf-8', [{ a: 1 }, { a: null }]],
    ['JSON without a type', '{"a":"ä"}', undefined, [{ a: 'ä' }]],
    ['a form', 'a=1&b=x+y%21', 'application/x-www-form-urlencoded', [{ a: '1', b: 'x y!' }]],
    [
      'CSV',
      'a,b\n1,"x, ""y"""\nNULL,\n',
      'text/csv',
      [
        { a: '1', b: 'x, "y"' },
        { a: null, b: '' },
      ],
    ],
    ['CSV with only a header', 'a,b', 'text/csv', []],
  ])('can be %s', (...[_what, text, contentType, rows]) => {
    expect(rowsOf(text, contentType)).toEqual(rows);
  });

  it.each([
    [
      '{"a":1.0,"b":-0,"c":12.50,"d":"1.0","e":1e2,"f":7}',
      { a: '1.0', b: '-0', c: '12.50', d: '1.0', e: '1e2', f: 7 },
    ],
    ['[{"a":{"b":[1.0,"x\\"1.0",1e2]}}]', { a: { b: [1, 'x"1.0', 100] } }],
    ['{"a":12345678901234567890}', { a: '12345678901234567890' }],
  ])('keeps the text of a number that a double would change: %s', (text, row) => {
    expect(rowsOf(text)).toEqual([row]);
  });

  it('keeps the text at any position, with any text around it', () => {
    const digits = fc.stringMatching(/^\d{1,18}$/);
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9]\d{0,17})$/),
        fc.option(digits),
        fc.option(fc.stringMatching(/^[eE][+-]?\d{1,2}$/)),
      )
      .map(
        ([sign, whole, fraction, power]) =>
          `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${power ?? ''}`,
      );
    const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/);
    const likeNumbers = fc.constantFrom(
      '"018f9a6e-12e4-7e00-8000-0123456789ab"',
      '"2026-01-05"',
      'null',
      '"x, 1.50"',
    );
    fc.assert(
      fc.property(number, space, space, likeNumbers, (text, before, after, other) => {
        const body = `{"o":${other},${before}"a"${after}:${before}${text}${after},"z":${other}}`;
        const kept = String(Number(text)) === text ? Number(text) : text;
        const [row] = rowsOf(body);
        expect([text, row]).toEqual([text, { o: JSON.parse(other), a: kept, z: JSON.parse(other) }]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['{"a":{"b":12345678901234567890}}', '{"a":[1e400]}', '{"a":{"b":0.1000000000000000055}}'])(
    'is refused for a number inside a document that a double would change: %s',
    (text) => {
      expect(() => rowsOf(text)).toThrow('22003');
    },
  );

  // A pattern that goes back at each digit would take half an hour.
  it('is refused for a number of a million digits inside a document', () => {
    expect(() => rowsOf(`{"a":{"b":1${'0'.repeat(1_000_000)}1}}`)).toThrow('22003');
  });
});

describe('CSV', () => {
  it.each([
    ['', []],
    ['a', [['a']]],
    [
      'a,\r\n,b\r\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['"a\nb","c"', [['a\nb', 'c']]],
    ['a"b,c', [['a"b', 'c']]],
    ['""', [['']]],
    ['"a', null],
    ['"a"b', null],
  ])('is read as records of fields: %j', (text, records) => {
    expect(csvRecords(text)).toEqual(records);
  });

  it('is read up to a number of records', () => {
    expect(csvRecords('a\n1\n"', 2)).toEqual([['a'], ['1']]);
  });
});
