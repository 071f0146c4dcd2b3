import { describe, expect, it } from '@jest/globals';
import {
  bigint,
  boolean,
  date,
  decimal,
  instant,
  integer,
  json,
  text,
  texts,
  timeOfDay,
  timestamp,
  uuid,
} from './kinds.js';
import type { Kind } from './kind.js';

const money = decimal(10, 2);
const year = '2026-05-01';

/** The text of a document with this many levels. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{"b":1}${'}'.repeat(levels - 1)}`;

/** Kind, input, canonical value. */
const accepted: [Kind, unknown, unknown][] = [
  [uuid, '018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000001'],
  [uuid, '018F0000-0000-7000-8000-00000000000A', '018f0000-0000-7000-8000-00000000000a'],
  [uuid, '{018f0000-0000-7000-8000-000000000001}', '018f0000-0000-7000-8000-000000000001'],
  [uuid, '018f0000000070008000000000000001', '018f0000-0000-7000-8000-000000000001'],

  [text, '', ''],
  [text, '  spaces stay ', '  spaces stay '],
  [text, 'Zoe\u0308', 'Zoë'],
  [text, '👩‍⚕️', '👩‍⚕️'],
  [text, 12, '12'],
  [text, true, 'true'],
  [text, { a: [1] }, '{"a":[1]}'],

  [integer, 0, 0],
  [integer, -0, 0],
  [integer, 2147483647, 2147483647],
  [integer, -2147483648, -2147483648],
  [integer, ' +42 ', 42],
  [integer, '-0', 0],
  [integer, '007', 7],
  [bigint, 2147483648, 2147483648],
  [bigint, ' 9007199254740991 ', 9007199254740991],

  [boolean, true, true],
  [boolean, false, false],
  [boolean, 1, true],
  [boolean, 0, false],
  ...['t', 'true', 'TRUE', 'y', 'Yes', 'on', '1', ' true '].map((one): [Kind, unknown, unknown] => [
    boolean,
    one,
    true,
  ]),
  ...['f', 'false', 'n', 'No', 'OFF', '0'].map((one): [Kind, unknown, unknown] => [boolean, one, false]),
  ...['tr', 'fa', 'ye', 'of'].map((one): [Kind, unknown, unknown] => [
    boolean,
    one,
    one === 'tr' || one === 'ye',
  ]),

  [date, '2026-05-01', year],
  [date, '2026-5-1', year],
  [date, ' 2026-05-01 ', year],
  [date, '2024-02-29', '2024-02-29'],
  [date, '2000-02-29', '2000-02-29'],
  [date, '0001-01-01', '0001-01-01'],
  [date, '9999-12-31', '9999-12-31'],

  [timeOfDay, '09:00', '09:00'],
  [timeOfDay, '9:00', '09:00'],
  [timeOfDay, '09:00:00', '09:00'],
  [timeOfDay, '09:00:00.000', '09:00'],
  [timeOfDay, '00:00', '00:00'],
  [timeOfDay, '23:59', '23:59'],

  [timestamp, '2026-05-01', '2026-05-01T00:00:00+00:00'],
  [timestamp, '2026-05-01T10:00', '2026-05-01T10:00:00+00:00'],
  [timestamp, '2026-05-01T10:00:00Z', '2026-05-01T10:00:00+00:00'],
  [timestamp, '2026-05-01t10:00:00z', '2026-05-01T10:00:00+00:00'],
  [timestamp, '2026-05-01 10:00:00+02', '2026-05-01T08:00:00+00:00'],
  [timestamp, '2026-05-01T10:00:00+0530', '2026-05-01T04:30:00+00:00'],
  [timestamp, '2026-05-01T23:30:00-01:00', '2026-05-02T00:30:00+00:00'],
  [timestamp, '2026-05-01T10:00:00.120Z', '2026-05-01T10:00:00.12+00:00'],
  [timestamp, '2026-05-01T10:00:00.123456+00:00', '2026-05-01T10:00:00.123456+00:00'],
  [timestamp, '2026-05-01T10:00:00.1234564Z', '2026-05-01T10:00:00.123456+00:00'],
  [timestamp, '2026-05-01T10:00:00.1234566Z', '2026-05-01T10:00:00.123457+00:00'],
  [timestamp, '2026-12-31T23:59:59.9999996Z', '2027-01-01T00:00:00+00:00'],
  [timestamp, '2026-12-31T24:00:00Z', '2027-01-01T00:00:00+00:00'],

  [money, 120, '120.00'],
  [money, 0, '0.00'],
  [money, -0, '0.00'],
  [money, '-0.001', '0.00'],
  [money, 19.99, '19.99'],
  [money, '1.005', '1.01'],
  [money, '-1.005', '-1.01'],
  [money, '.5', '0.50'],
  [money, '5.', '5.00'],
  [money, '1e3', '1000.00'],
  [money, 1e-7, '0.00'],
  [money, '125e-3', '0.13'],
  [money, '99999999.99', '99999999.99'],
  [money, '0000000000000012', '12.00'],
  [decimal(5, 0), '12.5', '13'],

  [json, '{"a":1.50,"b":[1e2]}', { a: 1.5, b: [100] }],
  [json, nested(64), JSON.parse(nested(64))],

  [texts, [], []],
  [texts, ['a', 'b c'], ['a', 'b c']],
  [texts, ' { } ', []],
  [texts, '{a, "b, c" ,d e}', ['a', 'b, c', 'd e']],
  [texts, '{"a\\"\\\\","null"}', ['a"\\', 'null']],
];

/** Kind, input, SQLSTATE, message. */
const refused: [Kind, unknown, string, string | RegExp][] = [
  [
    json,
    '{"a":12345678901234567890}',
    '22003',
    '"12345678901234567890" is out of range for type double precision',
  ],
  [json, '{"a":[1e400]}', '22003', '"1e400" is out of range for type double precision'],
  [json, nested(65), '22P02', /type json/],
  [json, '{"a":', '22P02', 'invalid input syntax for type json: "{"a":"'],
  [json, '[]', '22P02', 'invalid input syntax for type json: "[]"'],
  [uuid, 'abc', '22P02', 'invalid input syntax for type uuid: "abc"'],
  [uuid, 12, '22P02', 'invalid input syntax for type uuid: "12"'],
  [uuid, '{018f0000-0000-7000-8000-000000000001', '22P02', /type uuid/],
  [uuid, '018f0000-0000-7000-8000-00000000000', '22P02', /type uuid/],
  [text, 'a\0b', '22P05', 'unsupported Unicode escape sequence'],
  [text, '\ud83d', '22P05', 'Unicode surrogates must be paired'],
  [bigint, '1.0', '22P02', 'invalid input syntax for type bigint: "1.0"'],
  [bigint, '9007199254740993', '22003', 'value "9007199254740993" is out of range for type bigint'],
  [integer, 'abc', '22P02', 'invalid input syntax for type integer: "abc"'],
  [integer, '1.0', '22P02', 'invalid input syntax for type integer: "1.0"'],
  [integer, 1.5, '22P02', 'invalid input syntax for type integer: "1.5"'],
  [integer, '', '22P02', 'invalid input syntax for type integer: ""'],
  [integer, true, '22P02', 'invalid input syntax for type integer: "true"'],
  [integer, [1], '22P02', 'invalid input syntax for type integer: "[1]"'],
  [integer, 2147483648, '22003', 'value "2147483648" is out of range for type integer'],
  [integer, '-2147483649', '22003', 'value "-2147483649" is out of range for type integer'],
  [boolean, 'maybe', '22P02', 'invalid input syntax for type boolean: "maybe"'],
  [boolean, 2, '22P02', 'invalid input syntax for type boolean: "2"'],
  [boolean, 'o', '22P02', 'invalid input syntax for type boolean: "o"'],
  [boolean, '', '22P02', 'invalid input syntax for type boolean: ""'],
  [date, 'soon', '22007', 'invalid input syntax for type date: "soon"'],
  [date, 'today', '22007', 'invalid input syntax for type date: "today"'],
  [date, '01.05.2026', '22007', /type date/],
  [date, 20260501, '22007', 'invalid input syntax for type date: "20260501"'],
  [date, '2026-05-01T00:00:00Z', '22007', /type date/],
  [date, '2026-02-30', '22008', 'date/time field value out of range: "2026-02-30"'],
  [date, '2100-02-29', '22008', 'date/time field value out of range: "2100-02-29"'],
  [date, '2026-13-01', '22008', 'date/time field value out of range: "2026-13-01"'],
  [date, '0000-01-01', '22008', 'date/time field value out of range: "0000-01-01"'],
  [timeOfDay, '9', '22007', 'invalid input syntax for type time: "9"'],
  [timeOfDay, '09:00:30', '22007', 'invalid input syntax for type time: "09:00:30"'],
  [timeOfDay, '09:00:00.5', '22007', /type time/],
  [timeOfDay, 900, '22007', 'invalid input syntax for type time: "900"'],
  [timeOfDay, '25:00', '22008', 'date/time field value out of range: "25:00"'],
  [timeOfDay, '24:00', '22008', 'date/time field value out of range: "24:00"'],
  [timeOfDay, '09:60', '22008', 'date/time field value out of range: "09:60"'],
  [timestamp, 'now', '22007', 'invalid input syntax for type timestamp with time zone: "now"'],
  [timestamp, 1777629600, '22007', /type timestamp with time zone: "1777629600"/],
  [timestamp, '2026-02-30T10:00:00Z', '22008', 'date/time field value out of range: "2026-02-30T10:00:00Z"'],
  [timestamp, '2026-05-01T25:00:00Z', '22008', /out of range/],
  ...[
    'a',
    '{a',
    '{a,}',
    '{,a}',
    '{a,,b}',
    '{a"b"}',
    '{"a"b}',
    '{"a}',
    '{a,null}',
    '{{a}}',
    [1],
    ['\ud800'],
    '{\udc00}',
  ].map((one): [Kind, unknown, string, RegExp] => [texts, one, '22P02', /type text\[\]/]),
  [money, 'abc', '22P02', 'invalid input syntax for type numeric: "abc"'],
  [money, '', '22P02', 'invalid input syntax for type numeric: ""'],
  [money, '.', '22P02', 'invalid input syntax for type numeric: "."'],
  [money, '1,50', '22P02', 'invalid input syntax for type numeric: "1,50"'],
  [money, true, '22P02', 'invalid input syntax for type numeric: "true"'],
  [money, '100000000', '22003', 'numeric field overflow'],
  [money, '99999999.995', '22003', 'numeric field overflow'],
  [money, '-1e9', '22003', 'numeric field overflow'],
];

describe('a value in a body', () => {
  it.each(accepted.map(([kind, input, value]) => ({ kind, input, value })))(
    'as $kind.name: $input is $value',
    ({ kind, input, value }) => {
      expect(kind.parse(input)).toEqual({ ok: true, value });
    },
  );

  it.each(refused.map(([kind, input, code, message]) => ({ kind, input, code, message })))(
    'as $kind.name: $input is refused with $code',
    ({ kind, input, code, message }) => {
      const result = kind.parse(input);
      if (result.ok) throw new Error(`was taken as ${String(result.value)}`);
      expect(result.problem).toMatchObject({ status: 400, code });
      expect(result.problem.message).toMatch(message);
    },
  );

  it('does not change if it is canonical already', () => {
    for (const [kind, , value] of accepted) expect(kind.parse(value)).toEqual({ ok: true, value });
  });

  it.each([
    [money, `${' '.repeat(1_000_000)}x`],
    [money, '9'.repeat(1_000_000)],
    [texts, `{${'"\\'.repeat(1_000_000)}}`],
  ] as [Kind, string][])('of a million characters is refused (%#)', (kind, input) => {
    expect(kind.parse(input).ok).toBe(false);
  });

  it('is shortened in an error', () => {
    const result = integer.parse('x'.repeat(5000));
    expect(!result.ok && result.problem.message.length).toBeLessThan(200);
  });
});

describe('Postgres’ text of a value', () => {
  it.each([
    [boolean, 't', true],
    [boolean, 'f', false],
    [integer, '-5', -5],
    [money, '120.00', '120.00'],
    [timeOfDay, '09:30:00', '09:30'],
    [timestamp, '2026-05-01 10:00:00.12+00', '2026-05-01T10:00:00.12+00:00'],
    [timestamp, '2026-05-01 10:00:00+00', '2026-05-01T10:00:00+00:00'],
  ] as [Kind, string, unknown][])('is the canonical value (%#)', (kind, given, value) => {
    expect(kind.fromText(given)).toEqual(value);
  });
});

describe('a value in a response', () => {
  it.each([
    [uuid, '018f0000-0000-7000-8000-000000000001', '"018f0000-0000-7000-8000-000000000001"'],
    [text, 'a "b"\n', '"a \\"b\\"\\n"'],
    [integer, 5, '5'],
    [boolean, false, 'false'],
    [money, '120.00', '120.00'],
    [date, year, '"2026-05-01"'],
    [timeOfDay, '09:30', '"09:30"'],
    [timestamp, '2026-05-01T10:00:00+00:00', '"2026-05-01T10:00:00+00:00"'],
  ] as [Kind, never, string][])('is JSON (%#)', (kind, value, json) => {
    expect(kind.toJson(value)).toBe(json);
  });
});

describe('an instant of the clock', () => {
  it.each([
    [Date.UTC(2026, 4, 1, 10), '2026-05-01T10:00:00+00:00'],
    [Date.UTC(2026, 4, 1, 10, 0, 0, 120), '2026-05-01T10:00:00.12+00:00'],
  ])('is written as Postgres writes it (%#)', (milliseconds, canonical) => {
    expect(instant(milliseconds)).toBe(canonical);
    expect(timestamp.parse(canonical)).toEqual({ ok: true, value: canonical });
  });
});
