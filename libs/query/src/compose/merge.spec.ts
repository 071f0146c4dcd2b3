import { describe, expect, it } from '@jest/globals';
import { mergeBody, mergeRow } from '../index.js';
import type { Composition, PieceStep, RowsStep, MergedRow } from '../index.js';

type Outer = Exclude<PieceStep, { kind: 'run' }>;
type Format = RowsStep['format'];

const members: Format = { kind: 'members', stripped: false };
const stripped: Format = { kind: 'members', stripped: true };
const csv: Format = { kind: 'csv', stripped: false };

const step = (format: Format, pieces: readonly PieceStep[] = []): RowsStep => ({
  service: 'clients',
  path: [0],
  hasConditions: false,
  format,
  needs: [],
  pieces,
});

const outer = (kind: Outer['kind'], keys: readonly string[], isToOne: boolean): Outer => ({
  kind,
  keys,
  isToOne,
  takesNull: false,
  rows: step(members),
});

/** A row with two pieces: a run, and a piece with these related rows. */
function merged(
  piece: Outer,
  found: readonly MergedRow[],
  { format = members, run = '{"id":1}' }: { format?: Format; run?: string } = {},
): MergedRow {
  const related = new Map([[piece, new Map([['k', found]])]]);
  return mergeRow(step(format, [{ kind: 'run' }, piece]), [run, 'k'], related);
}

const whole = (row: MergedRow): string => `{${row.join(',')}}`;

describe('a merged row', () => {
  const one = outer('embed', ['client'], true);
  const many = outer('embed', ['a "b"'], false);

  it('keeps every text unchanged', () => {
    const row = merged(one, [['"price":120.00', '"big":12345678901234567890']]);
    expect(whole(row)).toBe('{"id":1,"client":{"price":120.00,"big":12345678901234567890}}');
  });

  it('has null for no record, and an empty array for no records of a to-many relation', () => {
    expect(whole(merged(one, []))).toBe('{"id":1,"client":null}');
    expect(whole(merged(many, []))).toBe('{"id":1,"a \\"b\\"":[]}');
    expect(whole(merged(many, [['"x":1'], ['"x":2']]))).toBe('{"id":1,"a \\"b\\"":[{"x":1},{"x":2}]}');
  });

  it('leaves out stripped nulls, and keeps the braces of an object without members', () => {
    expect(whole(merged(one, [], { format: stripped }))).toBe('{"id":1}');
    expect(whole(merged(one, [[]], { format: stripped, run: '{}' }))).toBe('{"client":{}}');
  });

  it('spreads the members of one record, and nulls without a record', () => {
    const spread = outer('spread', ['name', 'email'], true);
    expect(whole(merged(spread, [['"name":"Ada","email":null']]))).toBe('{"id":1,"name":"Ada","email":null}');
    expect(whole(merged(spread, []))).toBe('{"id":1,"name":null,"email":null}');
    expect(whole(merged(spread, [], { format: stripped }))).toBe('{"id":1}');
  });

  it('spreads the values of many records into arrays as Postgres writes them', () => {
    const spread = outer('spread', ['day', 'price'], false);
    const rows = [
      ['"2026-05-01"', '120.00'],
      ['"2026-05-02"', 'null'],
    ];
    expect(whole(merged(spread, rows))).toBe(
      '{"id":1,"day":["2026-05-01", "2026-05-02"],"price":[120.00, null]}',
    );
    expect(whole(merged(spread, []))).toBe('{"id":1,"day":[],"price":[]}');
  });

  it('is a line of CSV, with JSON quoted as Postgres quotes the field of a row', () => {
    expect(merged(one, [['"name":"A\\"b"']], { format: csv, run: '1,"a b"' }).join(',')).toBe(
      '1,"a b","{""name"":""A\\\\""b""}"',
    );
    expect(merged(one, [], { format: csv, run: '1' }).join(',')).toBe('1,');
    expect(merged(many, [], { format: csv, run: '1' }).join(',')).toBe('1,[]');
    expect(merged(outer('spread', ['a', 'b'], true), [], { format: csv, run: '1' }).join(',')).toBe('1,,');
  });

  it('has the related records of a row that refers to nothing, such as a count', () => {
    const counted = { ...one, takesNull: true };
    const related = new Map([[counted, new Map([['', [['"count":0']]]])]]);
    expect(mergeRow(step(members, [counted]), [null], related)).toEqual(['"client":{"count":0}']);
  });
});

describe('a body', () => {
  const answer = (shape: Composition['shape']): Composition => ({
    keys: [],
    unchecked: [],
    root: step(members),
    isComposed: true,
    shape,
    members: ['id', 'the name'],
  });

  it('is an array, one object, or lines', () => {
    expect(mergeBody(answer('array'), [['"a":1'], ['"a":2']])).toBe('[{"a":1},{"a":2}]');
    expect(mergeBody(answer('array'), [])).toBe('[]');
    expect(mergeBody(answer('object'), [['"a":1', '"b":2']])).toBe('{"a":1,"b":2}');
    expect(mergeBody(answer('csv'), [['1', 'x']])).toBe('id,"the name"\n1,x');
    expect(mergeBody(answer('csv'), [])).toBe('\n');
  });
});
