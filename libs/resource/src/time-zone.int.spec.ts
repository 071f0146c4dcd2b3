// A local time of a time zone is read as the same instant as in Postgres.

import { describe, expect, it } from '@jest/globals';
import { adminDatabase } from '@practice/testing';
import fc from 'fast-check';
import { timestamp } from './kinds.js';

const client = adminDatabase();

const zones = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC',
];
const pad = (part: number): string => String(part).padStart(2, '0');
const parts = (max: number, min = 0) => fc.integer({ min, max }).map(pad);
const local = fc
  .tuple(
    fc.integer({ min: 1990, max: 2035 }),
    parts(12, 1),
    parts(28, 1),
    parts(23),
    fc.oneof(fc.constant('30'), parts(59)),
    fc.constantFrom('', ':00', ':59.5'),
  )
  .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}${second}`);
/** The nights in which clocks change in Berlin, the region of Sydney and New York. */
const change = fc
  .tuple(
    fc.constantFrom(
      '2025-03-30',
      '2025-10-26',
      '2025-03-09',
      '2025-11-02',
      '2025-04-06',
      '2025-10-05',
      '2011-12-30',
    ),
    parts(3),
    parts(59),
  )
  .map(([day, hour, minute]) => `${day}T${hour}:${minute}`);

async function byPostgres(texts: readonly string[], zone: string): Promise<string[]> {
  await client.query(`SELECT set_config('TimeZone', $1, false)`, [zone]);
  const { rows } = await client.query<{ at: string }>(
    `SELECT to_char(t::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS at
     FROM unnest($1::text[]) WITH ORDINALITY AS x(t, n) ORDER BY n`,
    [texts],
  );
  return rows.map(({ at }) => at);
}

function byKind(text: string, zone: string): string {
  const result = timestamp.parse(timestamp.inZone?.(text, zone));
  if (!result.ok) throw new Error(result.problem.message);
  return result.value
    .replace('+00:00', '')
    .replace(/(\.\d+)?$/, (fraction) => (fraction || '.').padEnd(7, '0'));
}

describe('a timestamp without an offset', () => {
  it('is read in the preferred time zone as Postgres reads it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        fc.array(fc.oneof(local, change), { minLength: 100, maxLength: 100 }),
        async (zone, texts) => {
          expect(texts.map((text) => byKind(text, zone))).toEqual(await byPostgres(texts, zone));
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ['2025-07-01T12:00:00Z', '2025-07-01T12:00:00Z'],
    ['2025-07-01T12:00+05', '2025-07-01T12:00+05'],
    ['soon', 'soon'],
    ['2025-02-30T12:00', '2025-02-30T12:00'],
    [5, 5],
    [null, null],
  ])('%s is unchanged if it has an offset, or is no timestamp', (given, expected) => {
    expect(timestamp.inZone?.(given, 'Europe/Berlin')).toBe(expected);
  });
});
