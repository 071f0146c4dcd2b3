import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDatabase, wireTo, type ScratchDatabase, type Wire } from '@practice/testing';
import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';
import { openPool, TenantDatabase } from '@practice/storage';
import { Transactions } from './transactions.js';

let scratch: ScratchDatabase;
let wire: Wire;
let database: TenantDatabase;
let transactions: Transactions;

beforeAll(async () => {
  scratch = await scratchDatabase();
  wire = await wireTo(scratch.url);
  const pool = openPool({ service: 'identity', url: wire.url, connections: 3, onError: () => undefined });
  database = new TenantDatabase('identity', pool, { connections: 1, statementMs: 1_000 });
  transactions = new Transactions(database);
});

afterAll(async () => {
  await database.close();
  await wire.close();
  await scratch.drop();
});

const one = (tables: EntityManager): Promise<unknown> => tables.query('SELECT 1 AS one');

function cutDuring(tables: EntityManager): Promise<unknown> {
  const answer = tables.query('SELECT pg_sleep(60)');
  // TypeORM sends it in a later tick.
  setImmediate(() => wire.cut());
  return answer;
}

async function cutBetween(tables: EntityManager): Promise<unknown> {
  const client = (await tables.queryRunner?.connect()) as ClientBase;
  const ended = new Promise((resolve) => client.once('end', resolve));
  wire.cut();
  await ended;
  return one(tables);
}

const endedByPostgres = (tables: EntityManager): Promise<unknown> =>
  tables.query('SELECT pg_terminate_backend(pg_backend_pid())');

describe('a transaction', () => {
  it.each([
    ['is cut during a statement', cutDuring],
    ['is cut between two', cutBetween],
    ['is ended by Postgres', endedByPostgres],
  ])('whose connection %s is refused, and the process continues', async (_how, work) => {
    await expect(transactions.run({}, work)).rejects.toHaveProperty('message');
    wire.restore();
    expect(await transactions.run({}, one)).toEqual([{ one: 1 }]);
  });
});
