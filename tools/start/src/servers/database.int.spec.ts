import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readSettings, storedServices } from '@practice/operator';
import { startStack } from '../stack/stack.js';

const ofEachService = storedServices.map(({ name }) =>
  `${name.replaceAll('-', '_')}_DATABASE_URL`.toUpperCase(),
);

it.each([
  ['of all services', ['DATABASE_URL']],
  ['of each service', ofEachService],
])('BACKUP_TARGET is refused with a Postgres %s, whose data no backup would have', async (_, names) => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-target-'));
  const urls = names.map((name) => [name, 'postgres://admin@127.0.0.1:1/practice']);
  const given = readSettings(Object.fromEntries(urls) as Record<string, string>);
  const [DATA_DIR, BACKUP_TARGET] = [join(folder, 'data'), join(folder, 'target')];
  const started = startStack({ settings: { ...given, PORT: 0, DATA_DIR, BACKUP_TARGET }, onlyServers: true });
  await expect(started).rejects.toThrow(
    `The data is in a Postgres of yours (${names.join(', ')}): back it up`,
  );
  rmSync(folder, { recursive: true });
});
