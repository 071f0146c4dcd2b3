import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDatabase, type ScratchDatabase } from '@practice/testing';
import type { EventEmitter } from 'node:events';
import type pg from 'pg';
import { pipeline, run } from './pipeline.js';
import { areParsed } from './text-query.js';
import type { Statement } from './statement.js';

const sql = (text: string, ...values: unknown[]): Statement => ({ text, values });

describe.each([false, true])('text of Postgres, over a connection with pipeline: %s', (isPipelined) => {
  let database: ScratchDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await scratchDatabase();
    client = await database.connect(undefined, { pipeline: isPipelined } as pg.ClientConfig);
  });

  afterAll(() => database.drop());

  it('is returned as Postgres writes it, for every type', async () => {
    const text = `SELECT 1::bigint, 1.50::numeric, null, true, '{"a": 1}'::jsonb, $1::text[], '' UNION ALL SELECT 2, 2, 'ä', false, 'null', null, $2`;
    expect(await run(client, sql(text, ['a', 'b,c'], 'x'))).toEqual([
      ['1', '1.50', null, 't', '{"a": 1}', '{a,"b,c"}', ''],
      ['2', '2', 'ä', 'f', 'null', null, 'x'],
    ]);
  });

  it('is the same once the statement is prepared', async () => {
    for (const value of ['1', '2', '3'])
      expect(await run(client, sql('SELECT $1::int + 1', value))).toEqual([[String(Number(value) + 1)]]);
    const names = await run(
      client,
      sql('SELECT count(*) FROM pg_prepared_statements WHERE statement = $1', 'SELECT $1::int + 1'),
    );
    expect(names).toEqual([['1']]);
  });

  it('is an empty list if there are no rows, also for a statement that returns none', async () => {
    expect(await pipeline(client, [sql('BEGIN'), sql('SELECT 1 WHERE false'), sql('COMMIT')])).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('contains only the rows of the statement, which sees its setup, unlike other statements', async () => {
    const [name, ask] = ['spec.who', "SELECT current_setting('spec.who', true), $1::text"];
    const actAs = (who: string): Statement => sql('SELECT set_config($1, $2, true)', name, who);
    const zone = (where: string): Statement => sql("SELECT set_config('TimeZone', $1, true)", where);
    await run(client, actAs(''));
    await run(client, zone('UTC'));
    const asked = ['ada', 'bob', 'cyd'].map((who) =>
      run(client, sql(ask, who), [actAs(who), zone('Asia/Tokyo')]),
    );
    expect(await Promise.all(asked)).toEqual([[['ada', 'ada']], [['bob', 'bob']], [['cyd', 'cyd']]]);
    expect(await run(client, sql(ask, 'x'))).toEqual([['', 'x']]);
    expect(await run(client, sql("SELECT current_setting('TimeZone'), $1::text", 'x'))).toEqual([
      ['UTC', 'x'],
    ]);
  });

  it('is not returned if a setup fails; a later statement of the same text succeeds', async () => {
    const zone = (where: string): Statement => sql("SELECT set_config('TimeZone', $1, true)", where);
    await run(client, zone('UTC'));
    const fresh = sql("SELECT $1::text || ' in ' || current_setting('TimeZone')", 'noon');
    const answers = await Promise.allSettled(
      ['Nowhere/Never', 'Asia/Tokyo'].map((where) => run(client, fresh, [zone(where)])),
    );
    expect(answers).toMatchObject([
      { status: 'rejected', reason: { code: '22023' } },
      { status: 'fulfilled', value: [['noon in Asia/Tokyo']] },
    ]);
  });

  it('is returned for parsed statements that are sent as one message, with any values', async () => {
    const transaction = (text: string, list: string[]): Statement[] => [
      sql('BEGIN'),
      sql('SELECT $1::text, $2::text[] UNION ALL SELECT $1, NULL', text, list),
      sql('SELECT 1 WHERE false'),
      sql('SELECT $1::int', 7),
      sql('COMMIT'),
    ];
    const answers = (text: string, list: string) => [
      [],
      [
        [text, list],
        [text, null],
      ],
      [],
      [['7']],
      [],
    ];
    expect(await pipeline(client, transaction('x', ['a']))).toEqual(answers('x', '{a}'));
    let answered = 0;
    const { connection } = client as unknown as { connection: EventEmitter };
    const count = (): void => void (answered += 1);
    connection.on('readyForQuery', count);
    expect(await pipeline(client, transaction('y', ['b', 'c']))).toEqual(answers('y', '{b,c}'));
    connection.off('readyForQuery', count);
    expect(answered).toBe(1);
  });

  it('is the error of the first statement that fails; later statements have no effect, in one message or several', async () => {
    await client.query('CREATE TEMP TABLE IF NOT EXISTS kept (n int)');
    const keep = (n: number): Statement => sql('INSERT INTO kept VALUES ($1)', n);
    const divide = (by: number): Statement => sql('SELECT 12 / $1::int', by);
    for (const by of [0, 2, 0]) {
      const outcome = pipeline(client, [sql('BEGIN'), keep(by), divide(by), keep(by + 1), sql('COMMIT')]);
      if (by === 0) await expect(outcome).rejects.toMatchObject({ code: '22012' });
      else expect(await outcome).toEqual([[], [], [['6']], [], []]);
      await run(client, sql('ROLLBACK'));
    }
    expect(await run(client, sql('SELECT n FROM kept ORDER BY n'))).toEqual([['2'], ['3']]);
  });

  it('is returned after a setup also if there is no name left for the statement', async () => {
    const actAs = sql('SELECT set_config($1, $2, true)', 'spec.who', 'dan');
    await run(client, actAs);
    const ask = { ...sql(`SELECT current_setting('spec.who') ${' '.repeat(9_000)}`), isShaped: true };
    expect(await run(client, ask, [actAs])).toEqual([['dan']]);
  });

  it('of statements that callers shape is returned after they were closed, and a backend keeps few of them', async () => {
    const shaped = (index: number): Statement => ({
      ...sql(`SELECT ${index} + $1::int ${' '.repeat(4_000)}`, 1),
      isShaped: true,
    });
    const kept = async () => {
      const [row] = await run(
        client,
        sql('SELECT count(*), sum(length(statement)) FROM pg_prepared_statements'),
      );
      return row?.map(Number) ?? [];
    };
    for (const index of [...Array(300).keys(), 299, 0, 1])
      expect(await run(client, shaped(index))).toEqual([[String(index + 1)]]);
    const [count = 0, length = 0] = await kept();
    expect(count).toBeLessThan(60);
    expect(length).toBeLessThan(100_000);
    // Our own statements stay.
    const own = sql('SELECT count(*), sum(length(statement)) FROM pg_prepared_statements');
    expect(areParsed(client, [own, shaped(1)])).toBe(true);
    expect(areParsed(client, [shaped(100)])).toBe(false);
    // Many at a time: each is closed only after the ones before it have run.
    const many = await Promise.all(
      Array.from({ length: 200 }, (_, index) => run(client, shaped(index + 300))),
    );
    expect(many).toEqual(Array.from({ length: 200 }, (_, index) => [[String(index + 301)]]));
  });

  it('is an error that quotes a value that was sent with the statement that fails, and no other value', async () => {
    const sent = { ...sql('SELECT $1::text, $2::uuid', 'practice', 'x'), isShaped: true };
    const stored = { ...sql("SELECT $1::text, ('se' || 'cret')::int", 'practice'), isShaped: true };
    const after = { ...sent, values: ['practice', 'secret'] };
    for (const [failing, message] of [
      [sent, 'invalid input syntax for type uuid: "x"'],
      [stored, 'invalid input syntax for type integer'],
    ] as const)
      // The second time, all are parsed and sent as one message.
      for (const _ of [1, 2]) {
        const outcome = pipeline(client, [sql('BEGIN'), failing, after, sql('COMMIT')]);
        await expect(outcome).rejects.toMatchObject({ message });
        await run(client, sql('ROLLBACK'));
      }
  });

  it('is an error for the statement that fails; the connection goes on, also with the same text', async () => {
    const divide = 'SELECT 6 / $1::int';
    await expect(run(client, sql(divide, '0'))).rejects.toMatchObject({ code: '22012' });
    await expect(run(client, sql('SELECT nowhere FROM nothing'))).rejects.toMatchObject({ code: '42P01' });
    expect(await run(client, sql(divide, '3'))).toEqual([['2']]);
    const [one, two] = await Promise.allSettled([
      run(client, sql(divide, '0')),
      client.query('SELECT 7 AS seven'),
    ]);
    expect(one).toMatchObject({ status: 'rejected' });
    expect(two).toMatchObject({ status: 'fulfilled', value: { rows: [{ seven: 7 }] } });
  });
});
