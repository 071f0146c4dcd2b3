import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDatabase, wireTo } from '@practice/testing';
import type { ScratchDatabase, Wire } from '@practice/testing';
import type { ClientBase } from 'pg';
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

const one = async (client: ClientBase): Promise<unknown> => (await client.query('SELECT 1 AS one')).rows;

function cutDuring(client: ClientBase): Promise<unknown> {
  const answer = client.query('SELECT pg_sleep(60)');
  wire.cut();
  return answer;
}

async function cutBetween(client: ClientBase): Promise<unknown> {
  const ended = new Promise((resolve) => client.once('end', resolve));
  wire.cut();
  await ended;
  return one(client);
}

const endedByPostgres = (client: ClientBase): Promise<unknown> =>
  client.query('SELECT pg_terminate_backend(pg_backend_pid())');

describe('a transaction', () => {
  it.each([
    ['is cut during a statement', cutDuring],
    ['is cut between two', cutBetween],
    ['is ended by Postgres', endedByPostgres],
  ])('whose connection %s is refused, and the process goes on', async (_how, work) => {
    await expect(transactions.run({}, work)).rejects.toHaveProperty('message');
    wire.restore();
    expect(await transactions.run({}, one)).toEqual([{ one: 1 }]);
  });
});
