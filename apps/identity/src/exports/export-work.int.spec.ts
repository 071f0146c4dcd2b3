import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CrossTenantConnection } from '@practice/storage';
import { openPool, TenantDatabase } from '@practice/storage';
import { adminDatabase, stack } from '@practice/testing';
import type { RecordTransactions } from '@practice/write';
import { Transactions } from '../store/transactions.js';
import { ExportWorkSteps } from './export-work.js';

const admin = adminDatabase();
let database: TenantDatabase;
let steps: ExportWorkSteps;

beforeAll(() => {
  const url = stack().databaseUrl('identity');
  const pool = openPool({ service: 'identity', url, connections: 2, onError: () => undefined });
  database = new TenantDatabase('identity', pool, { connections: 1, statementMs: 5_000 });
  // The steps of this spec neither write records nor count parts.
  const [records, crossTenant] = [{} as RecordTransactions, {} as CrossTenantConnection];
  steps = new ExportWorkSteps(new Transactions(database), records, crossTenant, { archiveMegabytes: 1 });
});
afterEach(() => admin.query('DELETE FROM identity.archives WHERE export_id = ANY($1)', [made]));
afterAll(() => database.close());

const made: string[] = [];

/** An archive of a practice of its own. It is complete if it has a time when it expires. */
async function archive(expires: string | null): Promise<{ id: string; hash: string; requestId: string }> {
  const [id, hash] = [randomUUID(), randomUUID()];
  made.push(id);
  await admin.query(
    `INSERT INTO identity.archives (therapist_id, export_id, user_id, secret_hash, requested_at, alive_until, expires_at)
     VALUES ($1, $2, $1, $3, now(), now() + interval '1 hour', now() + $4::interval)`,
    [randomUUID(), id, hash, expires],
  );
  return { id, hash, requestId: 'r' };
}

describe('a step that a gateway repeats, because it has not received the reply', () => {
  const nothing = Buffer.alloc(0);

  it('begins the same export again', async () => {
    const { id, ...named } = await archive(null);
    const begin = () => steps.take({ step: 'begin', ...named }, nothing);
    const begun = { id, requestedAt: expect.any(String) };
    expect([await begin(), await begin()]).toEqual([begun, begun]);
  });

  it('completes an export once, and other steps are refused then', async () => {
    const { id: _, ...named } = await archive('1 hour');
    expect(await steps.take({ step: 'complete', size: 1, ...named }, nothing)).toBe(true);
    expect(await steps.take({ step: 'begin', ...named }, nothing)).toBe(false);
    const { id: __, ...over } = await archive('-1 second');
    expect(await steps.take({ step: 'complete', size: 1, ...over }, nothing)).toBe(false);
  });
});
