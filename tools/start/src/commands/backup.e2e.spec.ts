// The drill of docs/operations.md: a backup is made during writes, all data is lost, and the database is restored to an instant. Then
// the stream is lost, and then Postgres.
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { argumentsOfScript, readSettings } from '@practice/operator';
import {
  eventually,
  type Made,
  make,
  newPractice,
  patch,
  patient,
  type Practice,
  practiceOf,
  rowsOf,
  session,
  type ProgramRun,
  signIn,
  slot,
  withClient,
  write,
} from '@practice/testing';
import { templateFolder } from '../stack/running-stack.config.js';
import { startStack, type Stack } from '../stack/stack.js';

const folder = join(tmpdir(), `practice-backup-${randomUUID()}`);
const [dataDir, target] = [join(folder, 'data'), join(folder, 'target')];
const backup = {
  BACKUP_TARGET: target,
  BACKUP_KEY: randomBytes(32).toString('base64url'),
  BACKUP_COMMAND: `echo "$BACKUP_NAME" >> "${join(folder, 'shipped')}"`,
};
const services = ['gateway', 'identity', 'clients', 'scheduling'];
let own: Stack | undefined;
let origin: string;
let practice: Practice;
let bob: Made;
let instant: string;

async function start(): Promise<void> {
  const limits = { LIMIT_READS_PER_MINUTE: 0, LIMIT_WRITES_PER_MINUTE: 0, LIMIT_AUTH_PER_MINUTE: 0 };
  const settings = { ...readSettings({}), ...limits, ...backup, PORT: 0, DATA_DIR: dataDir };
  const stack = await startStack({ settings, onlyServers: true });
  own = stack;
  origin = (await Promise.all(services.map((service) => stack.spawnProcess(service))))[0]?.origin ?? '';
}

async function stop(): Promise<void> {
  await own?.stop();
  own = undefined;
}

/** Signs in again: the next gateway has another address. */
const again = async (): Promise<void> => {
  const answer = await patient(() => signIn(practice, origin));
  practice = practiceOf(practice, answer, origin);
};

const programWith = (settings: object, name: string, ...args: string[]): Promise<ProgramRun> =>
  session(process.execPath, [...argumentsOfScript(name), ...args], {
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, DATA_DIR: dataDir, ...backup, ...settings },
  });
const program = (name: string, ...args: string[]): Promise<ProgramRun> => programWith({}, name, ...args);

const ask = <Row extends object>(text: string): Promise<Row[]> =>
  withClient(own?.adminDatabaseUrl ?? '', async (client) => (await client.query<Row>(text)).rows);

const archived = (): string[] =>
  readdirSync(target)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((system) => readdirSync(join(target, system, 'wal')));

/** Waits until the target has everything that was written until now. */
async function isArchived(): Promise<void> {
  const [row] = await ask<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await eventually('the log is archived', () => archived().includes(row?.file ?? ''));
}

/** The names of the practice's clients as `clients` has them, and as the mirror of `scheduling` has them, in order. */
async function names(): Promise<{ readonly rows: unknown[]; readonly mirror: unknown[] }> {
  const rows = await rowsOf<{ name: string }>(practice, 'clients?select=name&order=name');
  const mirror = await ask<{ name: string }>(
    `SELECT data ->> 'name' AS name FROM scheduling.mirror
     WHERE resource = 'clients' AND therapist_id = '${practice.therapistId}' ORDER BY 1`,
  );
  return { rows: rows.map(({ name }) => name), mirror: mirror.map(({ name }) => name) };
}

async function expectSoundLogs(): Promise<void> {
  const verified = await program('log', 'verify');
  expect([verified.status, verified.output]).toEqual([0, expect.stringContaining('clients: checked')]);
  const { status, output } = await program('projections', 'rebuild', 'scheduling', '--check');
  expect([status, status === 0 ? '' : output]).toEqual([0, '']);
}

beforeAll(async () => {
  mkdirSync(folder, { mode: 0o755 });
  execFileSync('cp', ['-a', templateFolder(), dataDir]);
  await start();
  practice = await newPractice(origin);
});

afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a backup is made while the practice writes, and BACKUP_COMMAND runs for every file', async () => {
  await make(practice, 'clients', { name: 'Ada' });
  let isDone = false;
  const writing = (async () => {
    for (let index = 0; !isDone; index++) await make(practice, 'appointments', slot(index));
  })();
  const elsewhere = { FINANCE_DATABASE_URL: 'postgres://elsewhere/finance' };
  const { status, output } = await programWith(elsewhere, 'backup', '--keep', '30');
  isDone = true;
  await writing;
  expect([status, output]).toEqual([0, expect.stringContaining('can be restored to any second from')]);
  expect(output).toContain('The backup has no data of your own Postgres (FINANCE_DATABASE_URL).');
  const shipped = readFileSync(join(folder, 'shipped'), 'utf8');
  expect(shipped).toMatch(/\/base\/.*\/files\n/);
  expect(shipped).toMatch(/\/wal\/[0-9A-F]{24}\n/);
});

it('after a loss of all data, the database is restored to the instant, and erased persons stay erased', async () => {
  bob = await make(practice, 'clients', { name: 'Bob' });
  instant = new Date(Date.now() + 1).toISOString();
  await make(practice, 'clients', { name: 'Late' });
  const body = { client_id: bob.id };
  expect((await write(practice, 'rpc/erase_client', { method: 'POST', body })).status).toBe(202);
  const erased = (): boolean =>
    readFileSync(join(dataDir, 'keys', 'scheduling.erasures'), 'utf8').includes(bob.id);
  await eventually('the other service has erased the client', erased);
  await isArchived();
  await stop();
  const ledger = readFileSync(join(dataDir, 'keys', 'clients.erasures'), 'utf8');
  rmSync(dataDir, { recursive: true });

  const { status, output } = await program('restore', '--to', instant);
  expect([status, output]).toEqual([0, expect.stringContaining('Restored in')]);
  expect(readFileSync(join(dataDir, 'keys', 'clients.erasures'), 'utf8').trim()).toBe(ledger.trim());
  await start();
  await again();
  await make(practice, 'clients', { name: 'New' });
  await eventually('the mirror follows', async () => (await names()).mirror.includes('New'));
  expect(await names()).toEqual({ rows: ['Ada', 'New', null], mirror: ['Ada', 'New', null] });
  await expectSoundLogs();
});

it('after a loss of the stream, nothing is missing', async () => {
  await stop();
  rmSync(join(dataDir, 'nats'), { recursive: true });
  await start();
  await again();
  await make(practice, 'clients', { name: 'Next' });
  await eventually('the mirror follows', async () => (await names()).mirror.includes('Next'));
});

it('after a loss of Postgres, the end of the archive matches the stream that was kept', async () => {
  await isArchived();
  const [ada] = await rowsOf(practice, 'clients?name=eq.Ada');
  await stop();
  rmSync(join(dataDir, 'postgres'), { recursive: true });

  const { status, output } = await program('restore');
  expect([status, output]).toEqual([0, expect.stringContaining('Restored in')]);
  await start();
  await again();
  await patch(practice, 'clients', { id: ada?.id ?? '', name: 'Ada Lovelace' });
  await eventually('the mirror follows', async () => (await names()).mirror.includes('Ada Lovelace'));
  expect((await names()).rows).toEqual(['Ada Lovelace', 'New', 'Next', null]);
});

it('a restore without a backup from before its time, or on a running system, is refused and changes nothing', async () => {
  const early = await program('restore', '--to', '2020-01-01T00:00:00Z');
  expect(early).toMatchObject({
    status: 1,
    output: expect.stringContaining('no complete backup from before'),
  });
  const running = await program('restore');
  expect(running).toMatchObject({ status: 1, output: expect.stringContaining('already runs') });
  const [row] = await ask<{ count: number }>('SELECT count(*)::int AS count FROM clients.clients');
  expect(row?.count).toBeGreaterThan(2);
});
