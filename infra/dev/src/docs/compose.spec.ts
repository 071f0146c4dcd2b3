import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '@practice/settings';
import { projectFolder } from '../processes/app.js';
import { composeWithServices } from './compose.js';

const file = readFileSync(join(projectFolder, 'docker-compose.yml'), 'utf8');

/** Fixed inside the containers, or without effect there: they see neither the disk of the database nor its write-ahead log. */
const fixed = [
  'HOST',
  'DATA_DIR',
  'CACHE_DIR',
  'DATABASE_POOL_URL',
  'DATABASE_URL',
  'NATS_URL',
  'STREAM_REPLICAS',
  'SCHEDULING_PROCESSES',
  'LIVE_PROCESSES',
  'DISK_RESERVE_MB',
  'BACKUP_TARGET',
  'BACKUP_KEY',
  'BACKUP_COMMAND',
];

describe('docker-compose.yml', () => {
  it('has every service; `npm run generate` writes them', () => {
    expect(file).toBe(composeWithServices(file));
  });

  it('is not written without its marked places', () => {
    expect(() => composeWithServices(file.replace('# services: npm run generate', '#'))).toThrow('3 places');
  });

  it('passes on every setting that a container may have', () => {
    const lines = file.matchAll(/^ {6}- ([A-Z_]+)(?:=\$\{\1:-.*)?$/gm);
    const passed = [...new Set([...lines].map(([, name]) => name))].sort();
    expect(passed).toEqual(
      Object.keys(settings)
        .filter((name) => !fixed.includes(name))
        .sort(),
    );
  });
});
