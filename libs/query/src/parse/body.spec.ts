import { describe, expect, it } from '@jest/globals';
import { allSteps, jsonIn, Rejection, type Steps } from '@practice/core';
import fc from 'fast-check';
import { limits } from '../limits.js';
import { parseBody } from './body.js';
import { csvRecords } from './csv.js';

const rowsOf = (text: string, contentType?: string) =>
  allSteps(parseBody({ bytes: new TextEncoder().encode(text), contentType, columns: null }));

/** The JSON of a value, or the kind of error. */
function jsonOf(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return error instanceof Rejection ? 'inexact number' : 'malformed';
  }
}

function counted<T>(steps: Steps<T>): { pauses: number; value: T } {
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next();
    if (done === true) return { pauses, value };
  }
}

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
    [
      'CSV with blank lines',
      'a,b\n\n1,2\r\n\r\n,\n\n',
      'text/csv',
      [
        { a: '1', b: '2' },
        { a: '', b: '' },
      ],
    ],
    ['CSV with one column', 'a\n1\n\n""\n', 'text/csv', [{ a: '1' }, { a: '' }]],
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

describe('a body with very many values', () => {
  const many = (count: number, one: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => one(index));
  const read = (text: string, contentType?: string, columns: readonly string[] | null = null) =>
    counted(parseBody({ bytes: new TextEncoder().encode(text), contentType, columns }));
  const keys = many(100_000, (index) => `k${index}`);

  it.each([
    ['keys', `{${keys.map((key) => `"${key}":1`).join(',')}}`, undefined],
    ['keys of a document', `{"a":{${keys.map((key) => `"${key}":1`).join(',')}}}`, undefined],
    ['numbers that a double would change', `{"a":[${many(100_000, () => '1.0').join(',')}]}`, undefined],
    ['nested arrays', `{"a":[${many(50_000, () => '[[]]').join(',')}]}`, undefined],
    ['fields of a form', keys.map((key) => `${key}=1`).join('&'), 'application/x-www-form-urlencoded'],
    ['columns of CSV', `${keys.join(',')}\n${keys.join(',')}`, 'text/csv'],
  ])('is read in steps: %s', (_, text, type) => {
    expect(read(text, type).pauses).toBeGreaterThanOrEqual(50);
  });

  it('is the value that JSON.parse reads, also with mistakes', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', ':', '{', ']', '"', '\\', '0', 'x'))
      .map(([text, at, one]) => `${text.slice(0, at % text.length)}${one}${text.slice(at % text.length)}`);
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        // No object in two arrays is a row, so every number is read as a double.
        const nested = `[[${text}]]`;
        const [read, expected] = [
          () => allSteps(jsonIn(nested, { depth: Infinity })),
          () => JSON.parse(nested) as unknown,
        ].map((value) => jsonOf(value));
        fc.pre(read !== 'inexact number');
        expect(read).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('may have a limit, and numbers that are rounded', () => {
    const read = (text: string) => allSteps(jsonIn(text, { depth: 1, rounds: true, values: 2 }));
    expect(read('{"a":12345678901234567890,"b":1.0}')).toEqual({ a: 12345678901234567000, b: 1 });
    expect(() => read('[1,2,3]')).toThrow('The body has more than 2 values');
    expect(() => read('[[1]]')).toThrow('The body has more than 1 levels');
    for (const text of ['[', 'nul', 'Mueller', '01', '"a\nb"'])
      expect(() => read(text)).toThrow(/^The body is not JSON$/);
  });

  it('keeps no more keys of a row than can matter, and all that columns names', () => {
    const body = `{${keys.map((key) => `"${key}":1`).join(',')}}`;
    const [row = {}] = read(body).value;
    expect(Object.keys(row)).toEqual(keys.slice(0, limits.rowKeys));
    const [chosen = {}] = read(body, undefined, ['k0', 'k777(k888', 'k999)']).value;
    expect(Object.keys(chosen).slice(limits.rowKeys)).toEqual(['k777', 'k888', 'k999']);
    const [form = {}] = read(
      keys.map((key) => `${key}=1`).join('&'),
      'application/x-www-form-urlencoded',
    ).value;
    expect(Object.keys(form)).toEqual(keys.slice(0, limits.rowKeys));
    const [line = {}] = read(`${keys.join(',')},k0\n${keys.join(',')},last`, 'text/csv').value;
    expect([Object.keys(line).length, line['k0']]).toEqual([limits.rowKeys, 'last']);
  });

  it('is refused for too many rows, whatever they are', () => {
    expect(() => rowsOf(`[${many(50_000, () => '{}').join(',')}]`)).toThrow('PM413');
    expect(() => rowsOf(`[${many(50_000, () => '1e400').join(',')}]`)).toThrow('PM413');
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
    expect(allSteps(csvRecords(text))).toEqual(records);
  });

  it('is read up to a number of records', () => {
    expect(allSteps(csvRecords('a\n\n1\n"', 2))).toEqual([['a'], ['1']]);
  });
});
