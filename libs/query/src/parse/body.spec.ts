import { describe, expect, it } from '@jest/globals';
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
    ['CSV with a header alone', 'a,b', 'text/csv', []],
  ])('%s', (...[_what, text, contentType, rows]) => {
    expect(rowsOf(text, contentType)).toEqual(rows);
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
  ])('%j', (text, records) => {
    expect(csvRecords(text)).toEqual(records);
  });
});
