import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceVariables, settings } from '@practice/settings';
import { parse } from 'yaml';
import { archiveSettings, projectFolder, storedServices } from '@practice/operator';
import { authorityWithServices, backupWithServices, composeWithServices } from './compose.js';

const file = readFileSync(join(projectFolder, 'docker-compose.yml'), 'utf8');

interface Composed {
  readonly services: Readonly<
    Record<
      string,
      { readonly image?: string; readonly entrypoint?: readonly string[]; readonly environment?: object }
    >
  >;
}

const ofServices = storedServices.flatMap(({ name }) => serviceVariables(name));

describe('docker-compose.yml', () => {
  it('has every service (`npm run generate` writes them)', () => {
    expect(file).toBe(composeWithServices(file));
  });

  it('cannot be written without its marked places', () => {
    expect(() => composeWithServices(file.replace('# services: npm run generate', '#'))).toThrow('5 places');
  });

  it('passes on every setting that a container may have', () => {
    const lines = file.matchAll(/^ {6}- ([A-Z_]+)(?:=\$\{\1:-.*)?$/gm);
    const passed = [...new Set([...lines].map(([, name]) => name))].sort();
    expect(passed).toEqual(
      [
        ...Object.entries(settings).flatMap(([name, { isOfMachine }]) => (isOfMachine ? [] : [name])),
        ...ofServices,
      ].sort(),
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
  it('has every service (`npm run generate` writes them)', () => {
    const other = readFileSync(join(projectFolder, 'infra', 'docker', 'own-authority.yml'), 'utf8');
    expect(other).toBe(authorityWithServices(other));
  });
});

describe('infra/docker/backup.yml', () => {
  const text = readFileSync(join(projectFolder, 'infra', 'docker', 'backup.yml'), 'utf8');
  const { services } = parse(text) as Composed;
  const base = (parse(file, { merge: true }) as Composed).services;

  it('has every service (`npm run generate` writes them)', () => {
    expect(text).toBe(backupWithServices(text));
  });

  it('starts Postgres as docker-compose.yml does, with the settings of the archive', () => {
    const command = (entrypoint: readonly string[] = []): string => entrypoint[2] ?? '';
    const added = command(services['postgres']?.entrypoint).replace(
      command(base['postgres']?.entrypoint),
      '',
    );
    const given = { ...archiveSettings, archive_command: '$$ARCHIVE_COMMAND' };
    const settings = Object.entries(given).map(([name, value]) => `-c${name}=${value}`);
    expect(added.replaceAll('"', '').trim().split(' ').sort()).toEqual(settings.sort());
    expect(services['postgres']?.environment).toEqual({
      ARCHIVE_COMMAND: archiveSettings['archive_command']?.replaceAll('$', '$$$$'),
    });
  });

  it('looks for the data of Postgres where the image stores it, and has the limits of the other containers', () => {
    const major = /:(\d+)/.exec(base['postgres']?.image ?? '')?.[1];
    expect(services['backup']?.environment).toMatchObject({
      DATA_DIR: `/var/lib/postgresql/${major}/docker`,
    });
    expect(services['backup']).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      pids_limit: expect.any(Number),
      mem_limit: expect.any(String),
    });
    expect(services['backup']).not.toHaveProperty('ports');
  });
});
