import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDatabase, type ScratchDatabase } from '@practice/testing';
import fc from 'fast-check';
import type { Value } from '@practice/resource';
import type { Client } from 'pg';
import { copyRows, copyText } from './copy-rows.js';

type Sample = {
  readonly label: string | null;
  readonly labels: readonly string[] | null;
  readonly details: { readonly [key: string]: string } | null;
  readonly amount: number;
};

const columns = (
  [
    ['label', 'text'],
    ['labels', 'text[]'],
    ['details', 'jsonb'],
    ['amount', 'integer'],
  ] as const
).map(([name, sqlType]) => ({ name, textOf: (sample: Sample) => copyText(sqlType, sample[name] as Value) }));

const anyText = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('\\', '\t', '\n', '\r', '"', ',', '{', '}', 'N', ' '),
      fc.string({ unit: 'grapheme' }),
    ),
  })
  .filter((value) => !value.includes('\0'));
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const samples: fc.Arbitrary<Sample> = fc.record({
  label: orNull(anyText),
  labels: orNull(fc.array(anyText, { maxLength: 4 })),
  details: orNull(fc.dictionary(anyText, anyText, { maxKeys: 3, noNullPrototype: true })),
  amount: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
});

describe('rows that are copied into a table', () => {
  let database: ScratchDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await scratchDatabase();
    client = await database.connect();
    await client.query(
      'CREATE TABLE samples (place serial, label text, labels text[], details jsonb, amount integer)',
    );
  });

  afterAll(() => database.drop());

  const stored = async (): Promise<Sample[]> =>
    (await client.query<Sample>('SELECT label, labels, details, amount FROM samples ORDER BY place')).rows;

  it('are read back unchanged, with every character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(samples, { maxLength: 20 }), async (rows) => {
        await client.query('TRUNCATE samples');
        await copyRows(client, { table: 'samples', columns }, rows);
        expect(await stored()).toEqual(rows);
      }),
      { numRuns: 100 },
    );
  });

  it('keep their order, even if they are sent in several pieces', async () => {
    await client.query('TRUNCATE samples');
    const rows = Array.from({ length: 3_000 }, (_, amount) => ({
      label: 'long '.repeat(20),
      ...{ labels: [], details: null, amount },
    }));
    await copyRows(client, { table: 'samples', columns }, rows);
    expect((await stored()).map(({ amount }) => amount)).toEqual(rows.map(({ amount }) => amount));
  });

  it('are all left out if Postgres refuses one row, and the connection stays usable', async () => {
    await client.query('TRUNCATE samples');
    const wrong = [
      ...columns.slice(0, 3),
      { name: 'amount', textOf: ({ amount }: Sample) => (amount === 2 ? 'two' : '1') },
    ];
    const rows = [1, 2, 3].map((amount) => ({ label: null, labels: null, details: null, amount }));
    await expect(copyRows(client, { table: 'samples', columns: wrong }, rows)).rejects.toMatchObject({
      code: '22P02',
    });
    expect(await stored()).toEqual([]);
  });
});
