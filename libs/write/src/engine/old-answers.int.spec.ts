// Answers that are stored under idempotency keys expire after a day, also in a practice that no longer writes.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Logger } from '@practice/process';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { CrossTenantConnection, Sweeper } from '@practice/storage';
import { makeTables, service } from '../testing/write-fixture.js';
import { expiredIdempotency } from './idempotency.js';

let scratch: ScratchSchema;
let owner: Client;
let relay: CrossTenantConnection;
const warnings: unknown[] = [];
const logger = { warn: (details: unknown) => warnings.push(details) } as unknown as Logger;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  owner = await scratch.connect();
  relay = new CrossTenantConnection(service, scratch.url('scheduling_relay'), () => undefined);
});
afterAll(async () => {
  await relay.close();
  await scratch.drop();
});
beforeEach(async () => {
  warnings.length = 0;
  await owner.query(`DELETE FROM ${service}.idempotency`);
});

/** Stores answers in a practice of their own. */
const keep = (count: number, age: string): Promise<unknown> =>
  owner.query(
    `INSERT INTO ${service}.idempotency (therapist_id, key, hash, status, headers, body, answered_at)
     SELECT $1, 'key ' || n, 'hash', 201, '{}', '{"name":"Ada"}', now() - $3::interval FROM generate_series(1, $2) AS n`,
    [randomUUID(), count, age],
  );

const kept = async (): Promise<number> => {
  const { rows } = await owner.query<{ count: number }>(`SELECT count(*)::int FROM ${service}.idempotency`);
  return rows[0]?.count ?? -1;
};

async function sweep(sweeps = [expiredIdempotency(service)]): Promise<void> {
  const sweeper = new Sweeper(relay, logger, sweeps);
  await sweeper.sweepAll();
}

it('idempotency records older than a day are deleted, and no others', async () => {
  await keep(2, '24 hours 1 second');
  await keep(3, '23 hours 59 minutes');
  await sweep();
  expect([await kept(), warnings]).toEqual([3, []]);
});

it('any number of expired idempotency records is deleted, a bounded number at a time', async () => {
  await keep(55, '2 days');
  // Rows of tens of megabytes take their time: more of them would exceed the time limit of the relay's statements for ever.
  expect(await relay.run(expiredIdempotency(service).statement)).toHaveLength(50);
  await keep(155, '2 days');
  await sweep();
  expect([await kept(), warnings]).toEqual([0, []]);
});

it('a table that cannot be cleaned is reported, and the others are cleaned', async () => {
  await keep(1, '2 days');
  const broken = { table: 'appointments', statement: { text: 'DELETE FROM scheduling.nothing', values: [] } };
  await sweep([broken, expiredIdempotency(service)]);
  expect([await kept(), warnings]).toEqual([0, [expect.objectContaining({ table: 'appointments' })]]);
});

it('the role that deletes expired records reads no body and no valid record', async () => {
  await keep(1, '1 hour');
  const run = (text: string): Promise<unknown> => relay.run({ text, values: [] });
  await expect(run(`SELECT body FROM ${service}.idempotency`)).rejects.toThrow('permission denied');
  expect(await run(`SELECT key FROM ${service}.idempotency`)).toEqual([]);
  expect(await run(`DELETE FROM ${service}.idempotency RETURNING key`)).toEqual([]);
});
