// The backups of docker-compose.yml without containers: a real Postgres, and folders instead of volumes.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { containerStep, eventually, type ProgramRun, templateFolder } from '@practice/testing';
import { freePort } from '../common/ports.js';
import { openCluster, type Cluster } from '../postgres/cluster.js';
import { connect, DATABASE } from '../postgres/provision.js';
import { startPostgres, stopPostgres } from '../postgres/server.js';
import type { Child } from '../processes/child.js';
import { openSecrets } from '../settings/secrets.js';
import { archiveSettings } from '../backup/archiver.js';
import { runBackups } from './backups.js';
import { targetOf, type Target } from '../backup/target.js';

const home = mkdtempSync(join(tmpdir(), 'practice-containers-'));
const volumes = join(home, 'run');
const infra = join(volumes, 'infra');
const ledger = join(volumes, 'ledgers', 'clients', 'clients.erasures');
const target = join(home, 'target');
const BACKUP_KEY = randomBytes(32).toString('base64url');
const volume = join(home, 'volume');
const restored = join(volume, '18', 'docker');
const ERASED = '{"practice":"p","client":"c"}\n';

let cluster: Cluster;
let server: Child | undefined;
let url = '';

async function start(of: Cluster): Promise<void> {
  const port = await freePort();
  const password = openSecrets(infra).get('postgres_superuser');
  server = await startPostgres({
    cluster: of,
    port,
    logFile: join(home, 'postgres.log'),
    isFirst: true,
    extra: archiveSettings,
  });
  url = `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;
}

async function stop(): Promise<void> {
  if (server !== undefined) await stopPostgres(server);
  server = undefined;
}

async function query<Row extends object>(text: string): Promise<Row[]> {
  const client = await connect(url);
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const restore = (args: readonly string[] = [], key = BACKUP_KEY): Promise<ProgramRun> =>
  containerStep(volumes, ['restore', ...args], {
    DATA_DIR: restored,
    BACKUP_TARGET: target,
    BACKUP_KEY: key,
  });
const archived = (): string[] =>
  readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /wal\/[0-9A-F]{24}$/.test(name),
  );

const metrics: string[] = [];

beforeAll(async () => {
  chmodSync(home, 0o755);
  execFileSync('cp', ['-a', templateFolder(), join(home, 'origin')]);
  for (const folder of [infra, dirname(ledger), volume]) mkdirSync(folder, { recursive: true });
  copyFileSync(join(home, 'origin', 'secrets.json'), join(infra, 'secrets.json'));
  writeFileSync(ledger, ERASED);
  cluster = await openCluster(join(home, 'origin'), () => '');
  if (cluster.account) chownSync(volume, cluster.account.uid, cluster.account.gid);
  await start(cluster);
  const place = {
    target: targetOf({ BACKUP_TARGET: target, BACKUP_KEY, BACKUP_COMMAND: '' }) as Target,
    elsewhere: [],
    scratch: home,
    folder: () => cluster.folder,
    withPostgres: <T>(use: (of: string) => Promise<T>) => use(url),
  };
  const stopped = new AbortController();
  const port = await freePort();
  const running = runBackups(place, {
    volumes,
    args: ['--keep', '30'],
    stopped: stopped.signal,
    metrics: { host: '127.0.0.1', port },
  });
  const measured = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await eventually('a base backup is made without a command', async () => {
    metrics.splice(0, 1, await measured());
    return /^practice_backup_base_timestamp_seconds [1-9]/m.test(metrics[0] ?? '');
  });
  await query('CREATE TABLE marks AS SELECT 1 AS mark');
  for (const mark of [2, 3]) {
    const [row] = await query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await eventually('the log is archived', () => archived().some((name) => name.endsWith(row?.file ?? '')));
    await query(`INSERT INTO marks VALUES (${mark})`);
  }
  const [last] = await query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await eventually('the log is archived', () => archived().some((name) => name.endsWith(last?.file ?? '')));
  await stop();
  stopped.abort();
  await running;
});

afterAll(async () => {
  await stop();
  rmSync(home, { recursive: true });
});

describe('the backup of containers', () => {
  it('reports its age and how long files wait', () => {
    expect(metrics[0]).toMatch(/^practice_backup_waiting_seconds \d/m);
  });

  it('is restored after the loss of every volume, with the secrets and the ledgers', async () => {
    const secrets = readFileSync(join(infra, 'secrets.json'), 'utf8');
    // Another superuser's password: a new `secrets` container has run.
    rmSync(join(infra, 'secrets.json'));
    rmSync(ledger);
    const { status, output } = await restore();
    expect([status, output]).toEqual([0, expect.stringContaining('as it was after the change of')]);
    expect(JSON.parse(readFileSync(join(infra, 'secrets.json'), 'utf8'))).toEqual(JSON.parse(secrets));
    expect(readFileSync(ledger, 'utf8')).toBe(ERASED);
    expect(readdirSync(volume)).toEqual(['18']);
    await start({ ...cluster, folder: restored });
    expect(await query('SELECT mark FROM marks ORDER BY mark')).toEqual([1, 2, 3].map((mark) => ({ mark })));
    await stop();
  });

  it('moves the current database aside when it is restored, and deletes the files of a restore that was killed', async () => {
    mkdirSync(join(volume, 'restore', 'postgres'), { recursive: true });
    writeFileSync(join(volume, 'restore', 'postgres', 'PG_VERSION'), 'half');
    expect(await restore()).toMatchObject({ status: 0, output: expect.stringContaining('before-restore-') });
    const [aside = '', major] = readdirSync(volume).sort().reverse();
    expect([aside, major]).toEqual([expect.stringMatching(/^before-restore-/), '18']);
    expect(existsSync(join(volume, aside, 'PG_VERSION'))).toBe(true);
  });

  it('is restored once by two restores at the same time', async () => {
    const [done, refused] = (await Promise.all([restore(), restore()])).sort(
      (one, other) => Number(one.status) - Number(other.status),
    );
    expect(done).toMatchObject({ status: 0, output: expect.stringContaining('as it was after') });
    expect(refused).toMatchObject({
      status: 1,
      output: expect.stringContaining('Another restore, or the trial of one, runs'),
    });
  });

  it('is refused with another key or a gap, and the volumes do not change', async () => {
    const before = readdirSync(volume);
    const other = await restore([], randomBytes(32).toString('base64url'));
    expect(other).toMatchObject({ status: 1, output: expect.stringContaining('another key') });
    rmSync(join(target, archived().sort().at(-2) ?? ''));
    expect(await restore()).toMatchObject({ status: 1, output: expect.stringContaining('has a gap') });
    expect(readdirSync(volume)).toEqual(before);
    const reached = await restore(['--to', 'gap']);
    expect(reached).toMatchObject({ status: 0, output: expect.stringContaining('as it was after') });
  });
});
