import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { adminDatabase, eventually, make, newPractice, stack } from '@practice/testing';
import type { Pool } from 'pg';
import { openPool } from '@practice/storage';
import { applyLedger } from './apply-ledger.js';

const service = 'clients';
const admin = adminDatabase();
let writes: Pool;

beforeAll(() => {
  const url = stack().databaseUrl(service);
  writes = openPool({ service, url, connections: 2, onError: () => undefined });
});
afterAll(() => writes.end());

it('keeps the erasures before one that fails, and repeats the others later, each in one of two processes', async () => {
  const practice = await newPractice();
  const { therapistId } = practice;
  const ids: string[] = [];
  for (const name of ['Ada', 'Bob', 'Carl']) ids.push((await make(practice, 'clients', { name })).id);
  const entries = ids.map((client) => ({ therapistId, client }));
  const apply = (): Promise<number> => applyLedger({ service, writes }, { read: async () => entries });
  const namesIn = async (): Promise<unknown> =>
    (await practice.rest('clients?select=name&order=id')).json as object[];

  await admin.query('BEGIN');
  await admin.query('SELECT FROM clients.clients WHERE id = $1 FOR UPDATE', [ids[1]]);
  const failed = apply().catch((error: unknown) => error);
  const end =
    'SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
  await eventually('the second erasure was ended', async () => (await admin.query(end)).rowCount);
  expect(await failed).toMatchObject({ code: '57014' });
  await admin.query('COMMIT');
  expect(await namesIn()).toEqual([{ name: null }, { name: 'Bob' }, { name: 'Carl' }]);

  const [one = 0, other = 0] = await Promise.all([apply(), apply()]);
  expect(one + other).toBe(2);
  expect(await namesIn()).toEqual([{ name: null }, { name: null }, { name: null }]);
  expect(await apply()).toBe(0);
});

it('waits for another process longer than a request may take', async () => {
  const practice = await newPractice();
  const { therapistId } = practice;
  const { id: client } = await make(practice, 'clients', { name: 'Ada' });
  const url = new URL(stack().databaseUrl(service));
  url.searchParams.set('options', '-c statement_timeout=1000');
  const hurried = openPool({ service, url: url.href, connections: 1, onError: () => undefined });
  await admin.query('BEGIN');
  await admin.query('SELECT FROM clients.practice_head WHERE therapist_id = $1 FOR UPDATE', [therapistId]);
  const applied = applyLedger({ service, writes: hurried }, { read: async () => [{ therapistId, client }] });
  const waited = `SELECT FROM pg_locks WHERE NOT granted AND waitstart < clock_timestamp() - interval '1500 ms'
    AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  let hasFailed = false;
  applied.catch(() => (hasFailed = true));
  await eventually('it has waited', async () => hasFailed || (await admin.query(waited)).rowCount);
  await admin.query('COMMIT');
  expect(await applied.finally(() => hurried.end())).toBe(1);
});
