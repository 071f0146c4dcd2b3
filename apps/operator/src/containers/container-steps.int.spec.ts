import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { containerStep, type ProgramRun } from '@practice/testing';
import { services, storedServices } from '../settings/services.js';

const volumes = mkdtempSync(join(tmpdir(), 'practice-volumes-'));
mkdirSync(join(volumes, 'infra'));
afterAll(() => rmSync(volumes, { recursive: true }));

const step = (...args: string[]): Promise<ProgramRun> => containerStep(volumes, args);
const fileOf = (volume: string, name: string): string => readFileSync(join(volumes, volume, name), 'utf8');
const natsFile = (): string => fileOf('nats', 'nats-server.conf');

const cluster = { PLACE: 'kubernetes', NATS_URL: 'tls://x@a.example', STREAM_REPLICAS: '3' };

describe('the steps of containers', () => {
  let secrets: ProgramRun;
  beforeAll(async () => {
    secrets = await step('secrets');
  });

  it('write to the volume of each service only its own credentials', () => {
    expect(secrets).toMatchObject({ status: 0 });
    expect(secrets.output).toMatch(/^API http:\/\/127\.0\.0\.1:8000, API key \S+$/m);
    for (const { name } of services) {
      const passwords = [...fileOf(name, 'env').matchAll(/:([^:@\s]+)@/g)].map(([, password]) => password);
      expect([name, passwords.length > 0]).toEqual([name, true]);
      for (const other of services.filter((one) => one.name !== name))
        for (const password of passwords) expect(fileOf(other.name, 'env')).not.toContain(password);
    }
    expect(fileOf('identity', 'env')).toContain('KEY_ENCRYPTION_KEY');
    expect(fileOf('gateway', 'env')).not.toContain('DATABASE_URL');
  });

  it('name the servers of the settings, each with the role of the service, and refuse copies without a cluster', async () => {
    const env = {
      DATABASE_URL: 'postgres://boss:x@db.example:6432/books?sslmode=verify-full',
      CLIENTS_DATABASE_URL: 'postgres://boss:x@clients.example/people',
      NATS_URL: 'tls://one:x@a.example,tls://b.example',
      STREAM_REPLICAS: '3',
    };
    const others = mkdtempSync(join(tmpdir(), 'practice-volumes-'));
    mkdirSync(join(others, 'infra'));
    try {
      expect(await containerStep(others, ['secrets'], env)).toMatchObject({ status: 0 });
      const envOf = (name: string): string => readFileSync(join(others, name, 'env'), 'utf8');
      expect(envOf('finance')).toMatch(
        /^DATABASE_URL='postgres:\/\/finance:[\w-]+@db\.example:6432\/books\?sslmode=verify-full'$/m,
      );
      expect(envOf('clients')).toMatch(
        /^DATABASE_URL='postgres:\/\/clients:[\w-]+@clients\.example\/people'$/m,
      );
      for (const { name } of services) {
        expect(envOf(name)).toMatch(/^NATS_URL='tls:\/\/one:x@a\.example,tls:\/\/b\.example'$/m);
        expect(envOf(name)).not.toContain('boss');
      }
      const alone = await containerStep(others, ['secrets'], { STREAM_REPLICAS: '3' });
      expect(alone).toMatchObject({ status: 1, output: expect.stringContaining('name them in NATS_URL') });
    } finally {
      rmSync(others, { recursive: true });
    }
  });

  it('give the steps in a cluster the servers of all services and the key of the operator', async () => {
    const others = mkdtempSync(join(tmpdir(), 'practice-volumes-'));
    const servers = {
      DATABASE_URL: 'postgres://boss:x@db.example/books',
      DATABASE_POOL_URL: 'postgres://boss:x@pool.example:6432/books',
      CLINICAL_NOTES_DATABASE_URL: 'postgres://boss:x@notes.example/notes',
      CLINICAL_NOTES_DATABASE_POOL_URL: 'postgres://boss:x@notes-pool.example:6432/notes',
    };
    try {
      const passedOn = { ...servers, KEY_ENCRYPTION_KEY: 'k'.repeat(32) };
      expect(await containerStep(others, ['secrets'], { ...cluster, ...passedOn })).toMatchObject({
        status: 0,
      });
      const ofSteps = readFileSync(join(others, 'infra', 'env'), 'utf8');
      for (const [name, value] of Object.entries(passedOn)) expect(ofSteps).toContain(`${name}='${value}'`);
    } finally {
      rmSync(others, { recursive: true });
    }
  });

  it('keep all credentials when they run again, and write only the files that a setting changes', async () => {
    const files = (): (readonly [string, number])[] =>
      services.map(({ name }) => [name, statSync(join(volumes, name, 'env')).ino] as const);
    const before = files();
    expect(await step('secrets')).toMatchObject({ status: 0, output: secrets.output });
    expect(files()).toEqual(before);
    const { output } = await containerStep(volumes, ['secrets'], { SESSION_IDLE_MINUTES: '700' });
    expect(output).toContain('identity starts again with other settings');
    const unchanged = files().filter(([, file], index) => file === before[index]?.[1]);
    expect(unchanged.map(([name]) => name)).toEqual(
      services.map(({ name }) => name).filter((name) => name !== 'identity'),
    );
  });

  it('write the settings of services before the settings of gateways, which use a new key at once', async () => {
    const others = mkdtempSync(join(tmpdir(), 'practice-volumes-'));
    const file = join(others, 'infra', 'secrets.json');
    try {
      await containerStep(others, ['secrets'], cluster);
      const { statement_key, ...kept } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
      writeFileSync(file, JSON.stringify({ ...kept, previous_statement_key: statement_key }));
      const { output } = await containerStep(others, ['secrets'], cluster);
      const changed = [...output.matchAll(/^(\S+) starts again with other settings$/gm)].map(
        ([, name]) => name,
      );
      expect(changed).toEqual([...storedServices.map(({ name }) => name), 'gateway']);
    } finally {
      rmSync(others, { recursive: true });
    }
  });

  it('wait for the secrets of their own image', async () => {
    writeFileSync(join(volumes, 'infra', 'shared-by'), 'another image');
    const databaseUrl = 'postgres://nobody@127.0.0.1:1/none';
    const prepared = containerStep(volumes, ['prepare'], { DATABASE_URL: databaseUrl });
    await step('secrets');
    expect((await prepared).output).toMatch(/^Postgres at .* cannot be used/m);
    expect(fileOf('infra', 'shared-by')).toBe('');
  });

  it('add, list and revoke a NATS user', async () => {
    const added = await step('user', 'reminders', '--subscription', 'billing');
    const password = /nats:\/\/reminders:([^@]+)@nats:4222/.exec(added.output)?.[1] ?? 'none';
    expect(added.output).toContain('nats-server follows within a second');
    expect(natsFile()).toContain(password);
    expect((await step('user', 'list')).output).toMatch(/^reminders +reminders, billing\n$/);
    await step('secrets');
    expect(natsFile()).toContain(password);
    expect((await step('user', 'reminders', '--revoke')).output).toContain('Revoked: reminders.');
    expect(natsFile()).not.toContain(password);
  });

  it.each([[['user', 'nobody', '--revoke']], [['user', 'finance']], [['nothing']], [['keys', 'nothing']]])(
    'refuse %j',
    async (args) => {
      const { status, output } = await step(...args);
      expect(status).toBe(1);
      expect(output).toMatch(/There is no |Usage: |is reserved/);
    },
  );
});
