import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Logger } from '@practice/process';
import { CrossTenantConnection, type Sweep, Sweeper, SWEPT_AT_ONCE } from '@practice/storage';
import { adminDatabase, eventually, newPractice, stack, withClient } from '@practice/testing';
import { oldSessions, unanswered } from './sweeps.js';

const admin = adminDatabase();
let crossTenant: CrossTenantConnection;

beforeAll(async () => {
  crossTenant = new CrossTenantConnection('identity', stack().databaseUrl('identity_relay'), () => undefined);
});
afterAll(async () => {
  await crossTenant.close();
});

/** Stores a sign-up and a change of an address that end after this time. Returns a function that counts the rows that are still stored. */
async function asked(lives: string): Promise<() => Promise<number>> {
  const { therapistId: id } = await newPractice();
  const email = `${randomUUID()}@example.com`;
  await admin.query(
    `INSERT INTO identity.pending_sign_ups (user_id, email, token_hash, password_hash, metadata, created_at, expires_at)
     VALUES ($1, $2, $3, 'hash', '{}', now(), now() + $4::interval)`,
    [randomUUID(), email, randomUUID(), lives],
  );
  await admin.query(
    `INSERT INTO identity.address_changes (user_id, email, old_token_hash, new_token_hash, sent_at, expires_at)
     VALUES ($1, $2, $3, $4, now(), now() + $5::interval)`,
    [id, email, randomUUID(), randomUUID(), lives],
  );
  return async () => {
    const { rows } = await admin.query<{ email: string }>(
      `SELECT email FROM identity.pending_sign_ups WHERE email = $1
       UNION ALL SELECT email FROM identity.address_changes WHERE email = $1`,
      [email],
    );
    return rows.length;
  };
}

it('deletes sign-ups and changes of an address that were not answered in time, and no others', async () => {
  const [expired, open] = [await asked('-1 second'), await asked('1 hour')];
  expect([await expired(), await open()]).toEqual([2, 2]);
  const errors: unknown[] = [];
  const logger = { warn: (details: unknown) => errors.push(details) } as unknown as Logger;
  const sweeper = new Sweeper(crossTenant, logger, unanswered);
  sweeper.onApplicationBootstrap();
  await eventually('the expired ones are deleted', async () => errors.length > 0 || (await expired()) === 0);
  sweeper.onApplicationShutdown();
  expect(errors).toEqual([]);
  expect(await open()).toBe(2);
});

/**
 * Stores rows in a transaction that is rolled back, so that no process of the stack deletes them. Then runs a sweep until it finds nothing.
 * @returns how many rows each statement has deleted, and what `left` finds then
 */
async function swept(sweep: Sweep, rows: readonly string[], left: string) {
  return withClient(stack().adminDatabaseUrl, async (client) => {
    const counts: number[] = [];
    await client.query('BEGIN');
    for (const text of rows) await client.query(text);
    do {
      await client.query('SET LOCAL ROLE identity_relay');
      const { text, values } = sweep.statement;
      counts.push((await client.query(text, [...values])).rows.length);
      await client.query('RESET ROLE');
    } while (counts.at(-1) !== 0);
    const { rows: found } = await client.query<{ left: number }>(left);
    await client.query('ROLLBACK');
    return { counts, left: found[0]?.left };
  });
}

describe('a bounded number of rows is deleted at a time', () => {
  it('of expired tokens of a grant', async () => {
    const grant = randomUUID();
    const tokens = `INSERT INTO identity.oauth_payloads (id_hash, sealed_payload, grant_hash, expires_at)
      SELECT '${grant}' || n, 'sealed', '${grant}', now() - interval '1 day' - n * interval '1 millisecond' FROM generate_series(1, 2500) AS n`;
    const left = `SELECT count(*)::int AS left FROM identity.oauth_payloads WHERE grant_hash = '${grant}'`;
    const sweep = unanswered.find(({ table }) => table === 'oauth_payloads') as Sweep;
    const { counts, left: kept } = await swept(sweep, [tokens], left);
    expect(Math.max(...counts)).toBe(SWEPT_AT_ONCE);
    expect(kept).toBe(0);
  });

  it('of refresh tokens of an old session, which is deleted after them', async () => {
    const { therapistId: id } = await newPractice();
    const made = [
      `INSERT INTO identity.refresh_tokens (user_id, token_hash, session_id, created_at)
       SELECT user_id, id::text || n, id, now() FROM identity.sessions, generate_series(1, 2500) AS n WHERE user_id = '${id}'`,
      `UPDATE identity.sessions SET refreshed_at = now() - interval '31 days' WHERE user_id = '${id}'`,
    ];
    const leftIn = (table: string) =>
      `SELECT count(*)::int AS left FROM identity.${table} WHERE user_id = '${id}'`;
    const [tokens, sessions] = oldSessions({ idleSeconds: 60, maxSeconds: 3_600, recentSeconds: 600 });
    expect(await swept(sessions as Sweep, made, leftIn('sessions'))).toMatchObject({ left: 1 });
    const { counts, left: kept } = await swept(tokens as Sweep, made, leftIn('refresh_tokens'));
    expect(Math.max(...counts)).toBe(SWEPT_AT_ONCE);
    expect(kept).toBe(0);
    const without = [...made, `DELETE FROM identity.refresh_tokens WHERE user_id = '${id}'`];
    expect(await swept(sessions as Sweep, without, leftIn('sessions'))).toMatchObject({ left: 0 });
  });
});
