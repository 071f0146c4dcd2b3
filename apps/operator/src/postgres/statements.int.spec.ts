import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { stack } from '@practice/testing';

const running = stack();

/** Runs a statement that is slow enough to be logged. */
async function slow(secret: string): Promise<string> {
  const mark = `slow_${randomUUID().slice(0, 8)}`;
  const client = new pg.Client(running.databaseUrl('scheduling'));
  await client.connect();
  await client.query(`SELECT $1::text AS ${mark} FROM pg_sleep(0.6)`, [secret]);
  await client.query(`SELECT $1::integer`, [secret]).catch(() => undefined);
  await client.end();
  return mark;
}

it('logs a slow statement of a service without its values, and counts it for the operator only', async () => {
  const secret = `secret-${randomUUID()}`;
  const mark = await slow(secret);

  const log = readFileSync(join(running.dataDir, 'logs', 'postgres.log'), 'utf8');
  expect(log).toMatch(new RegExp(`duration: .*SELECT \\$1::text AS ${mark}`));
  expect(log).not.toContain(secret);

  const admin = new pg.Client(running.adminDatabaseUrl);
  await admin.connect();
  const { rows } = await admin.query(
    `SELECT calls::int, query FROM extensions.pg_stat_statements WHERE query LIKE $1`,
    [`%AS ${mark} %`],
  );
  await admin.end();
  expect(rows).toEqual([{ calls: 1, query: expect.not.stringContaining(secret) }]);
  const service = new pg.Client(running.databaseUrl('scheduling'));
  await service.connect();
  await expect(service.query('SELECT FROM extensions.pg_stat_statements')).rejects.toMatchObject({
    code: '42501',
  });
  await service.end();
});
