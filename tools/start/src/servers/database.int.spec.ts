import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readSettings } from '@practice/operator';
import { startStack } from '../stack/stack.js';

it('BACKUP_TARGET is refused with a Postgres of the operator, whose data no backup would have', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-target-'));
  const given = {
    DATABASE_URL: 'postgres://admin@127.0.0.1:1/practice',
    BACKUP_TARGET: join(folder, 'target'),
  };
  const settings = { ...readSettings({}), PORT: 0, DATA_DIR: join(folder, 'data'), ...given };
  const started = startStack({ settings, onlyServers: true });
  await expect(started).rejects.toThrow(/^DATABASE_URL names a Postgres of yours: .*without BACKUP_TARGET/);
  rmSync(folder, { recursive: true });
});
