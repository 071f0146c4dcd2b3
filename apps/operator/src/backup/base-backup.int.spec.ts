import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { adminDatabase, stack } from '@practice/testing';
import { withClient } from '../postgres/provision.js';
import { makeBaseBackup } from './base-backup.js';
import { systemOf } from './layout.js';
import { targetOf, type Target } from './target.js';

const admin = adminDatabase();
const BACKUP_TARGET = mkdtempSync(join(tmpdir(), 'practice-target-'));
/** A cluster of one file: a copy of the whole shared cluster would take time from other specs. */
const folder = mkdtempSync(join(tmpdir(), 'practice-cluster-'));
afterAll(() => {
  for (const made of [BACKUP_TARGET, folder]) rmSync(made, { recursive: true });
});

it('leaves no file in the target if the connection to Postgres breaks during a base backup, or an earlier one was killed', async () => {
  const BACKUP_KEY = randomBytes(32).toString('base64url');
  const target = targetOf({ BACKUP_TARGET, BACKUP_KEY, BACKUP_COMMAND: '' }) as Target;
  writeFileSync(join(folder, 'file'), 'rows');
  writeFileSync(join(BACKUP_TARGET, 'killed.part'), 'half');
  utimesSync(join(BACKUP_TARGET, 'killed.part'), 0, 0);
  const system = systemOf(realpathSync(join(stack().dataDir, 'postgres')));
  await withClient(stack().adminDatabaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const breaking: Target = {
      ...target,
      put: async (name, content) => {
        await admin.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
        return target.put(name, content);
      },
    };
    const made = makeBaseBackup({ client, folder, system, target: breaking });
    await expect(made).rejects.toThrow();
  });
  const files = readdirSync(BACKUP_TARGET, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(files.map(({ name }) => name)).toEqual([]);
});
