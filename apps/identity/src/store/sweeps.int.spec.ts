import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Logger } from '@practice/process';
import { CrossTenantConnection, Sweeper } from '@practice/storage';
import { adminDatabase, eventually, newPractice, stack } from '@practice/testing';
import { unanswered } from './sweeps.js';

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
