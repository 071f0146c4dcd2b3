import { describe, expect, it } from '@jest/globals';
import { stitchBody, stitchRow } from '../index.js';
import type { Composition, PieceStep, RowsStep, StitchedRow } from '../index.js';

type Outer = Exclude<PieceStep, { kind: 'run' }>;
type Format = RowsStep['format'];

const members: Format = { kind: 'members', stripped: false };
const stripped: Format = { kind: 'members', stripped: true };
const csv: Format = { kind: 'csv', stripped: false };

const step = (format: Format, pieces: readonly PieceStep[] = []): RowsStep => ({
  service: 'clients',
  path: [0],
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

/** What a row becomes whose first piece is a run, and whose second has these related rows. */
function stitched(
  piece: Outer,
  found: readonly StitchedRow[],
  { format = members, run = '{"id":1}' }: { format?: Format; run?: string } = {},
): StitchedRow {
  const related = new Map([[piece, new Map([['k', found]])]]);
  return stitchRow(step(format, [{ kind: 'run' }, piece]), [run, 'k'], related);
}

const whole = (row: StitchedRow): string => `{${row.join(',')}}`;

describe('a row put together', () => {
  const one = outer('embed', ['client'], true);
  const many = outer('embed', ['a "b"'], false);

  it('keeps every text as it is', () => {
    const row = stitched(one, [['"price":120.00', '"big":12345678901234567890']]);
    expect(whole(row)).toBe('{"id":1,"client":{"price":120.00,"big":12345678901234567890}}');
  });

  it('has null for no record, and an empty array for none of many', () => {
    expect(whole(stitched(one, []))).toBe('{"id":1,"client":null}');
    expect(whole(stitched(many, []))).toBe('{"id":1,"a \\"b\\"":[]}');
    expect(whole(stitched(many, [['"x":1'], ['"x":2']]))).toBe('{"id":1,"a \\"b\\"":[{"x":1},{"x":2}]}');
  });

  it('leaves nulls out where they are stripped, and objects that have no members keep their braces', () => {
    expect(whole(stitched(one, [], { format: stripped }))).toBe('{"id":1}');
    expect(whole(stitched(one, [[]], { format: stripped, run: '{}' }))).toBe('{"client":{}}');
  });

  it('lifts the members of one record, and null for each where there is none', () => {
    const spread = outer('spread', ['name', 'email'], true);
    expect(whole(stitched(spread, [['"name":"Ada","email":null']]))).toBe(
      '{"id":1,"name":"Ada","email":null}',
    );
    expect(whole(stitched(spread, []))).toBe('{"id":1,"name":null,"email":null}');
    expect(whole(stitched(spread, [], { format: stripped }))).toBe('{"id":1}');
  });

  it('lifts the values of many records into arrays as Postgres writes them', () => {
    const spread = outer('spread', ['day', 'price'], false);
    const rows = [
      ['"2026-05-01"', '120.00'],
      ['"2026-05-02"', 'null'],
    ];
    expect(whole(stitched(spread, rows))).toBe(
      '{"id":1,"day":["2026-05-01", "2026-05-02"],"price":[120.00, null]}',
    );
    expect(whole(stitched(spread, []))).toBe('{"id":1,"day":[],"price":[]}');
  });

  it('is a line of CSV, JSON quoted as Postgres quotes the field of a row', () => {
    expect(stitched(one, [['"name":"A\\"b"']], { format: csv, run: '1,"a b"' }).join(',')).toBe(
      '1,"a b","{""name"":""A\\\\""b""}"',
    );
    expect(stitched(one, [], { format: csv, run: '1' }).join(',')).toBe('1,');
    expect(stitched(many, [], { format: csv, run: '1' }).join(',')).toBe('1,[]');
    expect(stitched(outer('spread', ['a', 'b'], true), [], { format: csv, run: '1' }).join(',')).toBe('1,,');
  });

  it('finds what belongs to a row that refers to nothing', () => {
    const counted = { ...one, takesNull: true };
    const related = new Map([[counted, new Map([['', [['"count":0']]]])]]);
    expect(stitchRow(step(members, [counted]), [null], related)).toEqual(['"client":{"count":0}']);
  });
});

describe('a body', () => {
  const answer = (shape: Composition['shape']): Composition => ({
    keys: [],
    root: step(members),
    isComposed: true,
    shape,
    members: ['id', 'the name'],
  });

  it('is an array, one object, or lines', () => {
    expect(stitchBody(answer('array'), [['"a":1'], ['"a":2']])).toBe('[{"a":1},{"a":2}]');
    expect(stitchBody(answer('array'), [])).toBe('[]');
    expect(stitchBody(answer('object'), [['"a":1', '"b":2']])).toBe('{"a":1,"b":2}');
    expect(stitchBody(answer('csv'), [['1', 'x']])).toBe('id,"the name"\n1,x');
    expect(stitchBody(answer('csv'), [])).toBe('\n');
  });
});
