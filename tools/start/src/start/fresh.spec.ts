import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readSettings } from '@practice/operator';
import { clearData } from './fresh.js';

const folder = mkdtempSync(join(tmpdir(), 'fresh-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a fresh start', () => {
  it('deletes outside subscribers and results of checks too, and keeps keys and databases put aside', async () => {
    const kept = ['before-restore-20300107T090000.123Z', 'keys', 'notes.txt'];
    for (const name of ['postgres', 'nats', 'logs', 'keys']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'file'), '');
    }
    for (const name of [
      'secrets.json',
      'nats-readers.json',
      'verified.json',
      'metrics-targets.json',
      'before-restore-20300107T090000.123Z',
      'notes.txt',
    ])
      writeFileSync(join(folder, name), '');
    await clearData({ ...readSettings({}), DATA_DIR: folder }, true);
    expect(readdirSync(folder).sort()).toEqual(kept);
  });

  it('is refused with a database of the operator, and names its settings', async () => {
    const url = 'postgres://admin@127.0.0.1:1/practice';
    const settings = readSettings({ CLIENTS_DATABASE_URL: url, FINANCE_DATABASE_URL: url, DATA_DIR: folder });
    await expect(clearData(settings, true)).rejects.toThrow('CLIENTS_DATABASE_URL, FINANCE_DATABASE_URL');
  });
});
