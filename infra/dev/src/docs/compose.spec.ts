import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceVariables, settings } from '@practice/settings';
import { parse } from 'yaml';
import { projectFolder } from '../processes/app.js';
import { storedServices } from '../services.js';
import { authorityWithServices, composeWithServices } from './compose.js';

const file = readFileSync(join(projectFolder, 'docker-compose.yml'), 'utf8');

/** Fixed inside the containers, or without effect there: they see neither the disk of the database nor its write-ahead log. */
const fixed = [
  'HOST',
  'DATA_DIR',
  'CACHE_DIR',
  'SCHEDULING_PROCESSES',
  'LIVE_PROCESSES',
  'DISK_RESERVE_MB',
  'BACKUP_TARGET',
  'BACKUP_KEY',
  'BACKUP_COMMAND',
];

const ofServices = storedServices.flatMap(({ name }) => serviceVariables(name));

describe('docker-compose.yml', () => {
  it('has every service; `npm run generate` writes them', () => {
    expect(file).toBe(composeWithServices(file));
  });

  it('is not written without its marked places', () => {
    expect(() => composeWithServices(file.replace('# services: npm run generate', '#'))).toThrow('5 places');
  });

  it('passes on every setting that a container may have', () => {
    const lines = file.matchAll(/^ {6}- ([A-Z_]+)(?:=\$\{\1:-.*)?$/gm);
    const passed = [...new Set([...lines].map(([, name]) => name))].sort();
    expect(passed).toEqual(
      [...Object.keys(settings).filter((name) => !fixed.includes(name)), ...ofServices].sort(),
    );
  });

  it('gives the step that prepares the servers the settings of the servers', () => {
    const { services } = parse(file, { merge: true }) as {
      services: Record<string, { environment?: readonly string[] }>;
    };
    const ofServers = [
      'DATABASE_URL',
      'DATABASE_POOL_URL',
      'NATS_URL',
      'STREAM_REPLICAS',
      'STREAM_MAX_AGE_DAYS',
      'STREAM_MAX_MB',
    ];
    expect([...(services['prepare']?.environment ?? [])].sort()).toEqual(
      [...ofServers, ...ofServices].sort(),
    );
  });
});

describe('infra/docker/own-authority.yml', () => {
  it('has every service; `npm run generate` writes them', () => {
    const other = readFileSync(join(projectFolder, 'infra', 'docker', 'own-authority.yml'), 'utf8');
    expect(other).toBe(authorityWithServices(other));
  });
});
