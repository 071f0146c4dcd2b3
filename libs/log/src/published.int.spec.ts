import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { scratchService, type ScratchService } from '@practice/testing';
import type pg from 'pg';
import { sharedTables } from './migrations.js';
import { findLoss, type NotedMessage } from './published.js';

const NOTES = 1_000;

let log: ScratchService;
let client: pg.Client;

beforeAll(async () => {
  log = await scratchService(sharedTables);
  const admin = await log.connect();
  await admin.query(
    `INSERT INTO ${log.service}.published (minute, stream, sequence, event_id, since)
     SELECT at, 's', number, gen_random_uuid(), at FROM (SELECT number,
       date_trunc('minute', now()) - make_interval(mins => ${NOTES} - number) AS at FROM generate_series(1, ${NOTES}) AS number)`,
  );
  client = await log.connect(log.url('relay'));
});
afterAll(() => log.drop());

/** Compares the notes with a stream that has the messages up to a sequence. @returns the loss, and the number of rows that were read */
async function compared(last: number) {
  let read = 0;
  const counting = {
    query: async (text: string) => {
      const result = await client.query(text);
      read += result.rows.length;
      return result;
    },
  };
  const holds = ({ sequence }: NotedMessage): Promise<boolean> => Promise.resolve(sequence <= last);
  const loss = await findLoss(counting as unknown as pg.ClientBase, log.service, holds);
  return { loss, read };
}

it('a comparison with a stream that has everything reads only the newest note', async () => {
  expect(await compared(NOTES)).toEqual({ loss: { kind: 'none' }, read: 1 });
});

it('a comparison with a stream that has lost messages finds the first note to publish again', async () => {
  const { rows } = await client.query<{ since: string }>(
    `SELECT to_json(since) #>> '{}' AS since FROM ${log.service}.published WHERE sequence = ${NOTES}`,
  );
  expect((await compared(NOTES - 1)).loss).toEqual({ kind: 'lost', since: rows[0]?.since });
  expect((await compared(0)).loss).toEqual({ kind: 'lost', since: null });
});

it('a log without notes has lost nothing', async () => {
  await client.query('BEGIN');
  await client.query(`DELETE FROM ${log.service}.published`);
  expect(await compared(0)).toEqual({ loss: { kind: 'none' }, read: 0 });
  await client.query('ROLLBACK');
});
