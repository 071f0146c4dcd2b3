// The whole product on an external Postgres and an external NATS server, over TLS.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { generate } from 'selfsigned';
import { freePort, readSettings, serverFile } from '@practice/operator';
import {
  containerStep,
  eventually,
  ownStack,
  type OwnStack,
  session,
  type ProgramRun,
} from '@practice/testing';
import { findNatsServer } from '../servers/nats-program.js';
import { runningStack } from './running-stack.config.js';
import { startStack } from './stack.js';

const folder = mkdtempSync(join(tmpdir(), 'practice-tls-'));
const dataDir = (name: string): string => join(folder, name);
const base = { ...readSettings({}), PORT: 0, CACHE_DIR: runningStack().cacheDir };
const authority = join(folder, 'authority.pem');
let servers: OwnStack;
let admin: pg.Client;
let nats: ChildProcess;
let natsUrl: string;

beforeAll(async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  writeFileSync(authority, cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  servers = await ownStack();
  admin = new pg.Client(servers.adminDatabaseUrl);
  await admin.connect();
  await switchOnTls({ 'server.crt': cert, 'server.key': key });
  natsUrl = await startNatsWithTls();
});

afterAll(async () => {
  nats.kill();
  await admin.end();
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Has the server write its own files: it may run as another user, and only that user may read its key. */
async function switchOnTls(files: Readonly<Record<string, string>>): Promise<void> {
  await admin.query('create temp table lines (line text)');
  for (const [name, content] of Object.entries(files)) {
    await admin.query('truncate lines');
    await admin.query('insert into lines select unnest($1::text[])', [content.trim().split(/\r?\n/)]);
    await admin.query(`copy lines to program 'umask 077; cat > ${name}'`);
  }
  await admin.query('alter system set ssl = on');
  await admin.query('select pg_reload_conf()');
  await eventually(
    'TLS is on',
    async () => (await admin.query<{ ssl: string }>('show ssl')).rows[0]?.ssl === 'on',
  );
}

async function startNatsWithTls(): Promise<string> {
  const port = await freePort();
  const users = [{ name: 'admin', password: 'a password' }];
  const plain = serverFile({ host: '127.0.0.1', port, storeDir: dataDir('js'), users });
  const tls = { cert_file: authority, key_file: join(folder, 'key.pem') };
  const file = join(folder, 'nats.conf');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(plain) as object), tls }));
  nats = spawn(await findNatsServer(base.CACHE_DIR), ['--config', file, '--log', join(folder, 'nats.log')]);
  // The client of NATS compares a certificate only with names.
  return `tls://admin:a%20password@localhost:${port}`;
}

const databaseUrl = (root: string): string =>
  `${servers.adminDatabaseUrl}?sslmode=verify-full&sslrootcert=${encodeURIComponent(root)}`;

/** The connected roles, once the request and relay roles of all services are connected. */
async function connectedRoles(): Promise<readonly { role: string; ssl: boolean }[] | undefined> {
  const { rows } = await admin.query<{ role: string; ssl: boolean }>(
    `select distinct usename as role, ssl from pg_stat_ssl join pg_stat_activity using (pid)
     where usename is not null and pid <> pg_backend_pid() order by 1`,
  );
  return rows.length >= 10 ? rows : undefined;
}

describe('over TLS', () => {
  it('every role of every service reaches Postgres', async () => {
    const settings = { ...base, DATA_DIR: dataDir('ours'), DATABASE_URL: databaseUrl(authority) };
    const ours = await startStack({ settings });
    try {
      // Relays may connect later.
      const rows = await eventually('every role is connected', connectedRoles);
      expect(rows.filter(({ ssl }) => !ssl)).toEqual([]);
    } finally {
      await ours.stop();
    }
  });

  it('containers use both servers: their steps prepare them, a service runs on them, and commands find them', async () => {
    const volumes = dataDir('volumes');
    mkdirSync(join(volumes, 'infra'), { recursive: true });
    const env = {
      DATABASE_URL: `${servers.adminDatabaseUrl}?sslmode=verify-full`,
      NATS_URL: natsUrl,
      NODE_EXTRA_CA_CERTS: authority,
    };
    const run = (...args: string[]): Promise<ProgramRun> => containerStep(volumes, args, env);
    for (const step of ['secrets', 'prepare']) {
      const { status, output } = await run(step);
      expect(status === 0 ? '' : output).toBe('');
    }

    const place = {
      ERASURES_FILE: join(volumes, 'clients.erasures'),
      PERSONAL_KEYS: `file:${join(volumes, 'clients', 'clients.keys')}`,
      ...{ HEALTH_PORT: '0', METRICS_PORT: '0', METRICS_HOST: '127.0.0.1' },
    };
    const started = await session(
      process.execPath,
      [`--env-file=${join(volumes, 'clients', 'env')}`, join('apps', 'clients', 'dist', 'main.js')],
      { env: { NODE_EXTRA_CA_CERTS: authority, ...place }, enough: (output) => output.includes('"serving"') },
    );
    expect(started.output).toContain('"serving"');

    expect(await run('events', 'lag')).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^clients +0$/m),
    });
    const checked = await run('rebuild', 'clients', '--check');
    expect(checked.status === 0 ? '' : checked.output).toBe('');
    expect(await run('events', 'nothing')).toMatchObject({
      status: 1,
      output: expect.stringContaining('Usage'),
    });
    expect(await run('user', 'reminders')).toMatchObject({
      status: 1,
      output: expect.stringContaining('a server of yours'),
    });
  });

  it('a Postgres with an unknown certificate is refused', async () => {
    const { cert } = await generate([{ name: 'commonName', value: 'another server' }]);
    const other = join(folder, 'other.pem');
    writeFileSync(other, cert);
    const settings = { ...base, DATA_DIR: dataDir('wary'), DATABASE_URL: databaseUrl(other) };
    await expect(startStack({ settings, onlyServers: true })).rejects.toThrow(/certificate/);
  });

  it('a NATS server with an unknown certificate is refused', async () => {
    const settings = { ...base, DATA_DIR: dataDir('warier'), NATS_URL: natsUrl };
    await expect(startStack({ settings, onlyServers: true })).rejects.toThrow(/certificate/);
  });
});
