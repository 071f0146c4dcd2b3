import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { session, type Session } from './docs/session.js';
import { projectFolder } from './processes/app.js';
import { services } from './services.js';

const volumes = mkdtempSync(join(tmpdir(), 'practice-volumes-'));
mkdirSync(join(volumes, 'infra'));
afterAll(() => rmSync(volumes, { recursive: true }));

const program = join(projectFolder, 'infra', 'dev', 'dist', 'container-steps.js');
const code = `import(${JSON.stringify(program)})
  .then(({ runStep }) => runStep(process.argv[1], process.argv.slice(2)))
  .catch(({ message }) => { console.error(message); process.exitCode = 1; })`;
const step = (...args: string[]): Promise<Session> =>
  session(process.execPath, ['-e', code, volumes, ...args]);
const fileOf = (volume: string, name: string): string => readFileSync(join(volumes, volume, name), 'utf8');
const natsFile = (): string => fileOf('nats', 'nats-server.conf');

describe('the steps of containers', () => {
  let secrets: Session;
  beforeAll(async () => {
    secrets = await step('secrets');
  });

  it('write the credentials of each service to its own volume, and of no other', () => {
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

  it('keep all credentials when they run again', async () => {
    const before = services.map(({ name }) => fileOf(name, 'env'));
    expect(await step('secrets')).toMatchObject({ status: 0, output: secrets.output });
    expect(services.map(({ name }) => fileOf(name, 'env'))).toEqual(before);
  });

  it('add, list and revoke a NATS user', async () => {
    const added = await step('user', 'reminders', '--subscription', 'billing');
    const password = /nats:\/\/reminders:([^@]+)@nats:4222/.exec(added.output)?.[1] ?? 'none';
    expect(added.output).toContain('Apply it: docker compose kill -s HUP nats');
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
