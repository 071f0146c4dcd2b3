// Every kind accepts and converts the same values as Postgres' cast. The generators avoid values for which kinds are stricter on
// purpose: days and instants are written with numbers, year first and at most 9999 (no `today`, no era); times
// of day go from 00:00 to 23:59 without seconds; offsets have two-digit hours; numbers are decimal (no NaN, hex or `_`).

import { beforeAll, describe, expect, it } from '@jest/globals';
import { adminDatabase } from '@practice/testing';
import fc from 'fast-check';
import { boolean, date, decimal, integer, timeOfDay, timestamp, uuid } from './kinds.js';
import type { Kind } from './kind.js';

const runs = { numRuns: 15, seed: 20260501 };
const BATCH = 150;

const client = adminDatabase();

beforeAll(async () => {
  await client.query(`SET timezone = 'UTC'`);
  await client.query(`CREATE FUNCTION pg_temp.cast_of(input text, type text) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE result text;
    BEGIN
      EXECUTE format('SELECT to_json($1::%s)::text', type) INTO result USING input;
      RETURN result;
    EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
    END $$`);
});

/** The result of Postgres' cast for each input: the JSON or the SQLSTATE. */
async function castsOf(inputs: readonly string[], { sqlType }: Kind): Promise<string[]> {
  const { rows } = await client.query<{ result: string }>(
    `SELECT pg_temp.cast_of(input, $2) AS result FROM unnest($1::text[]) WITH ORDINALITY AS i(input, n) ORDER BY n`,
    [inputs, sqlType],
  );
  return rows.map(({ result }) => result);
}

function ours(kind: Kind, input: string): string {
  const result = kind.parse(input);
  return result.ok ? kind.toJson(result.value) : result.problem.code;
}

const pad = (width: number) => (part: number) => String(part).padStart(width, '0');
const whole = (min: number, max: number) => fc.integer({ min, max });
/** Mostly a valid part of a date or time, sometimes a part that is too large. */
const part = (min: number, max: number) =>
  fc.oneof({ weight: 12, arbitrary: whole(min, max) }, { weight: 1, arbitrary: whole(max + 1, 99) });
const spaced = (inner: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('', '', ' '), inner, fc.constantFrom('', '', '  ')).map((parts) => parts.join(''));
const anyCase = (word: string) =>
  fc.constantFrom(word, word.toUpperCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`);

const day = fc
  .tuple(
    fc.oneof(whole(1, 9998), fc.constantFrom(1900, 2000, 2023, 2024, 2026, 0)).map(pad(4)),
    part(0, 12).chain((month) => fc.constantFrom(String(month), pad(2)(month))),
    fc.oneof(part(0, 31), fc.constantFrom(28, 29, 30, 31)).map(pad(2)),
  )
  .map((parts) => parts.join('-'));

const fractions = fc.oneof(
  fc.constant(''),
  fc
    .string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 9 })
    .map((digits) => `.${digits}`),
);
const clock = fc
  .tuple(
    part(0, 23).map(pad(2)),
    part(0, 59).map(pad(2)),
    fc.option(fc.tuple(part(0, 59).map(pad(2)), fractions)),
  )
  .map(([hours, minutes, rest]) => `${hours}:${minutes}${rest === null ? '' : `:${rest[0]}${rest[1]}`}`);
const offset = (hours: fc.Arbitrary<number>, minutes: fc.Arbitrary<number>) =>
  fc.oneof(
    fc.constantFrom('', 'Z', 'z'),
    fc
      .tuple(
        fc.constantFrom('+', '-'),
        hours.map(pad(2)),
        fc.option(minutes.map(pad(2))),
        fc.constantFrom('', ':'),
      )
      .map(([sign, hour, minute, colon]) =>
        minute === null ? `${sign}${hour}` : `${sign}${hour}${colon}${minute}`,
      ),
  );
const moment = fc.oneof(
  day,
  fc
    .tuple(day, fc.constantFrom('T', ' ', 't'), clock, offset(whole(0, 14), whole(0, 59)))
    .map((parts) => parts.join('')),
  offset(part(0, 15), part(0, 59)).map((zone) => `2026-05-01T10:00:00${zone}`),
  fc
    .tuple(
      day,
      fc.constantFrom('T24:00:00Z', 'T24:00', ' 24:00:01Z', 'T23:59:60Z', 'T23:59:61Z', 'T23:59:59.9999995Z'),
    )
    .map((parts) => parts.join('')),
);

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'00123456789'), maxLength });
const number = (length: number) =>
  fc
    .tuple(
      fc.constantFrom('', '', '-', '+'),
      digits(length),
      fc.constantFrom('', '.'),
      digits(6),
      fc.option(whole(-12, 12)),
      fc.constantFrom('e', 'E'),
    )
    .map(
      ([sign, before, point, after, exponent, e]) =>
        `${sign}${before}${point}${point && after}${exponent === null ? '' : e + exponent}`,
    );

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length });
const id = fc
  .tuple(
    hex(8),
    hex(4),
    hex(4),
    hex(4),
    fc.oneof({ weight: 6, arbitrary: hex(12) }, { weight: 1, arbitrary: hex(11) }),
  )
  .chain((groups) =>
    fc.constantFrom(
      groups.join('-'),
      groups.join(''),
      `{${groups.join('-')}}`,
      `{${groups.join('-')}`,
      `${groups.join('-')}}`,
    ),
  );

const truth = fc.oneof(
  fc
    .constantFrom('true', 'false', 'yes', 'no', 'on', 'off', '1', '0', '2', 'maybe')
    .chain((word) => whole(0, word.length).chain((length) => anyCase(word.slice(0, length)))),
);

const inputs: [Kind, fc.Arbitrary<string>][] = [
  [date, spaced(day)],
  [date, fc.constantFrom('soon', '', '2026', '2026-05', 'x2026-05-01')],
  [
    timeOfDay,
    spaced(
      fc
        .tuple(
          part(0, 23)
            .filter((hours) => hours !== 24)
            .map(pad(2)),
          part(0, 59).map(pad(2)),
          fc.constantFrom('', ':00', ':00.0'),
        )
        .map(([hours, minutes, seconds]) => `${hours}:${minutes}${seconds}`),
    ),
  ],
  [timestamp, spaced(moment)],
  [
    integer,
    spaced(
      fc.oneof(
        fc.integer({ min: -5e9, max: 5e9 }).map(String),
        // More digits, followed by other characters, would be out of range for Postgres before it sees the other characters.
        number(8),
        fc.constantFrom('', '+', '--1', '1 2', 'abc', '+7', '007'),
      ),
    ),
  ],
  [
    decimal(10, 2),
    spaced(
      fc.oneof(
        number(10),
        fc.constantFrom('', '.', '-', 'e5', '1e', '1e400', '-1e1234', '1e-1234', '0e1234', 'abc', '1 2'),
      ),
    ),
  ],
  [decimal(12, 0), spaced(number(14))],
  [decimal(5, 4), number(3)],
  [boolean, spaced(truth)],
  [uuid, id],
];

describe('a kind agrees with Postgres', () => {
  it.each(inputs.map(([kind, arbitrary]) => [kind.sqlType, kind, arbitrary] as const))(
    'about what a %s is',
    async (_, kind, arbitrary) => {
      await fc.assert(
        fc.asyncProperty(fc.array(arbitrary, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
          const casts = await castsOf(batch, kind);
          const theirs = batch.map((input, index) => [input, shownAs(kind, casts[index] ?? '')]);
          expect(batch.map((input) => [input, ours(kind, input)])).toEqual(theirs);
        }),
        { ...runs, endOnFailure: true },
      );
    },
  );
});

/** The JSON of reads: a time of day is shown to the minute, and everything else as Postgres writes it. */
const shownAs = (kind: Kind, json: string): string =>
  kind.name === 'timeOfDay' ? json.replace(/^"(\d\d:\d\d):00"$/, '"$1"') : json;
