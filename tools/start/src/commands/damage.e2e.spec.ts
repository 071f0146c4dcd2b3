// Restores from a damaged backup. Each test has a copy of one target: a base backup, and segments with one mark each.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  archiveOf,
  archiveSettings,
  connect,
  DATABASE,
  problemsOf,
  argumentsOfScript,
  freePort,
  openCluster,
  openSecrets,
  readRestore,
  readSettings,
  rehearse,
  requireWhole,
  restore,
  stagesShownBy,
  startArchiver,
  startPostgres,
  stopPostgres,
  targetOf,
  type Wanted,
  withCredentials,
} from '@practice/operator';
import { eventually, session, type ProgramRun } from '@practice/testing';
import { templateFolder } from '../stack/running-stack.config.js';
import { startStack, type Stack } from '../stack/stack.js';

const home = mkdtempSync(join(tmpdir(), 'practice-damage-'));
const intact = join(home, 'intact');
const BACKUP_KEY = randomBytes(32).toString('base64url');
const settingsOf = (BACKUP_TARGET: string, DATA_DIR: string) => ({
  ...readSettings({}),
  BACKUP_TARGET,
  BACKUP_KEY,
  DATA_DIR,
  PORT: 0,
});
const environment = (target: string, dataDir: string, key = BACKUP_KEY): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  DATA_DIR: dataDir,
  BACKUP_TARGET: target,
  BACKUP_KEY: key,
});
const program = (name: string, args: readonly string[], env: Record<string, string>): Promise<ProgramRun> =>
  session(process.execPath, [...argumentsOfScript(name), ...args], { env });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const digests = (folder: string): string[] =>
  filesIn(folder).map(
    (file) => `${file.slice(folder.length)} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`,
  );
/** The only file of a target whose path has this part. */
const fileOf = (target: string, part: string): string => {
  const found = filesIn(target).filter((file) => file.includes(part));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
};

/** The segments, in the order of their marks. The first three have marks 1, 2 and 3. */
const segments: string[] = [];
const times: string[] = [];
let system: string;

type Server = Pick<Stack, 'adminDatabaseUrl'>;

/** Starts only the restored Postgres and its archiver. backup.e2e.spec.ts starts the whole system after a restore. */
async function withPostgres<T>(
  path: string,
  dataDir: string,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const [target, port] = [targetOf(settingsOf(path, dataDir)), await freePort()];
  if (target === undefined) throw new Error('the settings have a target');
  const password = (): string => openSecrets(dataDir).get('postgres_superuser');
  const cluster = await openCluster(dataDir, password);
  const logFile = join(dataDir, 'logs', 'postgres.log');
  const child = await startPostgres({ cluster, port, logFile, isFirst: true, extra: archiveSettings });
  const archiver = startArchiver({ folder: cluster.folder, dataDir, target, say: () => undefined });
  const url = withCredentials(`postgres://127.0.0.1:${port}/${DATABASE}`, 'postgres', password());
  return use({ adminDatabaseUrl: url }).finally(async () => {
    await stopPostgres(child);
    await archiver.stop();
  });
}

async function query<Row extends object>(server: Server, text: string): Promise<Row[]> {
  const client = await connect(server.adminDatabaseUrl);
  return client
    .query<Row>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const marksIn = async (server: Server): Promise<number[]> =>
  (await query<{ mark: number }>(server, 'SELECT mark FROM marks ORDER BY mark')).map(({ mark }) => mark);

async function writeMark(server: Server, mark: number): Promise<void> {
  await query(server, `INSERT INTO marks VALUES (${mark})`);
  const [row] = await query<{ file: string; at: Date }>(
    server,
    'SELECT clock_timestamp() AS at, pg_walfile_name(pg_switch_wal()) AS file',
  );
  segments.push(row?.file ?? '');
  times.push((row?.at ?? new Date(0)).toISOString());
}

beforeAll(async () => {
  // If root runs this, Postgres runs as another user.
  chmodSync(home, 0o755);
  const dataDir = join(home, 'origin');
  execFileSync('cp', ['-a', templateFolder(), dataDir]);
  const stack = await startStack({ settings: settingsOf(intact, dataDir), onlyServers: true });
  try {
    await query(stack, 'CREATE TABLE marks (mark int)');
    const made = await program('backup', [], environment(intact, dataDir));
    expect([made.status, made.output]).toEqual([0, expect.stringContaining('can be restored')]);
    for (const mark of [1, 2, 3, 4]) await writeMark(stack, mark);
    await eventually('the log is archived', () =>
      filesIn(intact).some((file) => basename(file) === segments.at(-1)),
    );
  } finally {
    await stack.stop();
  }
  system = readdirSync(intact).find((name) => /^\d+$/.test(name)) ?? '';
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

let copies = 0;
/** Makes a damaged copy of the target, and chooses an empty data folder. */
function damaged(damage: (target: string) => void) {
  const [path, dataDir] = [join(home, `target-${++copies}`), join(home, `data-${copies}`)];
  cpSync(intact, path, { recursive: true });
  damage(path);
  const target = targetOf(settingsOf(path, dataDir));
  if (target === undefined) throw new Error('the settings have a target');
  const stages = stagesShownBy();
  return {
    path,
    dataDir,
    target,
    restore: (wanted: Partial<Wanted> = {}) =>
      restore({ dataDir, target, stages, to: undefined, timeline: undefined, ...wanted }),
    rehearse: () => rehearse(dataDir, target, stages),
  };
}

const remove = (part: string) => (target: string) => rmSync(fileOf(target, part));
const flip = (part: string) => (target: string) => {
  const file = fileOf(target, part);
  const bytes = readFileSync(file);
  bytes.writeUInt8((bytes.at(bytes.length >> 1) ?? 0) ^ 1, bytes.length >> 1);
  writeFileSync(file, bytes);
};
const cutOff = (part: string) => (target: string) => truncateSync(fileOf(target, part), 1000);

describe('a backup without damage', () => {
  it('has no problems, and a restore from it reaches the last change and does not change the target', async () => {
    const { path, dataDir, target, restore: run, rehearse: runScratch } = damaged(() => undefined);
    const before = digests(path);
    expect(await problemsOf(target)).toEqual([]);
    const reached = await runScratch();
    expect(readdirSync(dataDir)).toEqual([]);
    expect(await run()).toBe(reached);
    expect(reached >= (times[2] ?? '')).toBe(true);
    expect(digests(path)).toEqual(before);
    await withPostgres(path, dataDir, async (server) => expect(await marksIn(server)).toEqual([1, 2, 3, 4]));
  });
});

describe('a restore that was killed while it moved the database aside', () => {
  it('is repeated before a start, and keeps the database with its secrets', async () => {
    const { dataDir, target, restore: run } = damaged(() => undefined);
    await run({ to: 'gap' });
    const secrets = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
    const killed = `${dataDir}-killed`;
    const options = { target, to: 'gap', timeline: undefined } as const;
    const kill = (line: string): void => {
      if (!line.startsWith('The database that was there')) return;
      cpSync(dataDir, killed, { recursive: true });
      // This process has claimed the copied folder, as a killed one has not.
      rmSync(join(killed, 'supervisor.json'));
    };
    await restore({ ...options, dataDir, stages: stagesShownBy(kill) });
    expect(() => requireWhole(killed)).toThrow('Run npm run restore again');
    await restore({ ...options, dataDir: killed, stages: stagesShownBy() });
    const aside = readdirSync(killed).filter((name) => name.startsWith('before-restore'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(killed, aside[0] ?? '', 'secrets.json'), 'utf8')).toBe(secrets);
    expect(existsSync(join(killed, aside[0] ?? '', 'postgres', 'PG_VERSION'))).toBe(true);
  });
});

describe('a trial restore', () => {
  it('deletes the files of one that was killed', async () => {
    const { dataDir, target } = damaged(() => undefined);
    const killed = `${dataDir}-killed`;
    await rehearse(dataDir, target, {
      ...stagesShownBy(),
      run: async (_title, work) => {
        const result = await work();
        cpSync(dataDir, killed, { recursive: true });
        return result;
      },
    });
    const [scratch = ''] = readdirSync(killed);
    // This process has claimed the copied folder, as a killed one has not.
    rmSync(join(killed, scratch, 'supervisor.json'), { force: true });
    await rehearse(killed, target, stagesShownBy());
    expect(readdirSync(killed)).toEqual([]);
  });
});

describe('a gap in the archive', () => {
  it('makes a restore fail, which changes nothing', async () => {
    const { path, dataDir, target, restore: run } = damaged((folder) => remove(`wal/${segments[1]}`)(folder));
    const before = digests(path);
    await expect(run()).rejects.toThrow(
      `The archive has a gap: the file ${segments[1]} is missing, so changes after it cannot be restored.`,
    );
    expect(existsSync(dataDir)).toBe(false);
    expect(digests(path)).toEqual(before);
    expect(await problemsOf(target)).toEqual([expect.stringContaining(`${segments[1]} is missing`)]);
  });

  it('makes a restore to a later time fail, which puts the earlier database back in its place', async () => {
    const { path, dataDir, restore: run } = damaged((folder) => remove(`wal/${segments[1]}`)(folder));
    await run({ to: 'gap' });
    const [before, data] = [digests(path), readFileSync(join(dataDir, 'secrets.json'), 'utf8')];
    await expect(run({ to: new Date(times[2] ?? '') })).rejects.toThrow(`${segments[1]} is missing`);
    expect(digests(path)).toEqual(before);
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(data);
    expect(readRestore(dataDir)).toBe('restored');
    expect(readdirSync(dataDir).filter((name) => name.startsWith('before-restore'))).toEqual([]);
    await withPostgres(path, dataDir, async (server) => expect(await marksIn(server)).toEqual([1]));
  });

  it('lets a restore reach the last change before it, on another timeline than the files after it', async () => {
    const { path, dataDir, target, restore: run } = damaged((folder) => remove(`wal/${segments[1]}`)(folder));
    const before = digests(path);
    const reached = await run({ to: 'gap' });
    expect(reached <= (times[0] ?? '')).toBe(true);
    await withPostgres(path, dataDir, async (server) => {
      expect(await marksIn(server)).toEqual([1]);
      await writeMark(server, 5);
      await eventually('the new timeline is archived', () => target.has(`${system}/wal/${segments.at(-1)}`));
    });
    expect(digests(path)).toEqual(expect.arrayContaining(before));
    expect(segments.at(-1)).toMatch(/^00000002/);
    expect(await problemsOf(target)).toEqual([]);
    const again = { ...settingsOf(path, join(home, 'again')), target, stages: stagesShownBy() };
    // A system before it, which has no second timeline.
    mkdirSync(join(path, '1', 'wal'), { recursive: true });
    await restore({ ...again, dataDir: again.DATA_DIR, to: undefined, timeline: 2 });
    await withPostgres(path, again.DATA_DIR, async (server) => expect(await marksIn(server)).toEqual([1, 5]));
  });

  it('is also found if the history of a timeline or the first segment is missing', async () => {
    const history = damaged((folder) =>
      cpSync(
        fileOf(folder, `wal/${segments[1]}`),
        fileOf(folder, `wal/${segments[1]}`).replace('/00000001', '/00000003'),
      ),
    );
    await expect(archiveOf(history.target, system)).rejects.toThrow('the file');
    await expect(history.restore()).rejects.toThrow('00000003.history is missing');
    const [first] = filesIn(join(intact, system, 'wal')).map((file) => basename(file));
    const beginning = damaged((folder) =>
      filesIn(join(folder, system, 'wal')).forEach((file) => rmSync(file)),
    );
    expect(first).toMatch(/^00000001/);
    await expect(beginning.restore()).rejects.toThrow('The archive has a gap');
  });
});

describe('a damaged file', () => {
  it.each([
    ['a flipped byte', flip],
    ['a missing end', cutOff],
  ])('is refused by a restore and a check: a segment with %s', async (_, damage) => {
    const { path, dataDir, target, restore: run } = damaged((folder) => damage(`wal/${segments[2]}`)(folder));
    const before = digests(path);
    const sentence = `The file ${system}/wal/${segments[2]} of the backup is damaged, or BACKUP_KEY is another key.`;
    await expect(run()).rejects.toThrow(sentence);
    expect(await problemsOf(target)).toEqual([sentence]);
    expect(digests(path)).toEqual(before);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    // A time before the end of the previous segment can be restored.
    await run({ to: new Date(times[0] ?? '') });
    await withPostgres(path, dataDir, async (server) => expect(await marksIn(server)).toEqual([1]));
  });

  it.each([
    ['a base backup with a flipped byte', flip, '/files'],
    ['a base backup with a missing end', cutOff, '/files'],
    ['a manifest with a flipped byte', flip, '/manifest'],
  ])('ends the command with one sentence: %s', async (_, damage, part) => {
    const { path, dataDir } = damaged(damage(part));
    const [{ status, output }, verified] = await Promise.all([
      program('restore', [], environment(path, dataDir)),
      program('backup', ['verify'], environment(path, dataDir)),
    ]);
    expect([status, output.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(/^The file \S+ of the backup is damaged, or BACKUP_KEY is another key\.$/),
    ]);
    expect(output).not.toMatch(/^\s+at /m);
    expect([verified.status, verified.output]).toEqual([1, expect.stringContaining(`${part} of the backup`)]);
  });
});

describe('another key', () => {
  it('is refused by a restore, a check and a start, which do not change the target', async () => {
    const { path, dataDir } = damaged(() => undefined);
    const before = digests(path);
    const other = environment(path, dataDir, randomBytes(32).toString('base64url'));
    const sentence = 'BACKUP_KEY is another key than that of the backups in BACKUP_TARGET.';
    const ended = await Promise.all([
      program('restore', [], other),
      program('backup', ['verify'], other),
      program('start', [], { ...other, PORT: '0' }),
    ]);
    for (const { status, output } of ended)
      expect([status, output.trimEnd().split('\n').at(-1)]).toEqual([1, sentence]);
    expect(digests(path)).toEqual(before);
  });
});

describe('npm run backup -- verify --restore', () => {
  it('prints the time that a restore reaches, and the gap after it', async () => {
    const { path, dataDir } = damaged((folder) => remove(`wal/${segments[2]}`)(folder));
    const { status, output } = await program('backup', ['verify', '--restore'], environment(path, dataDir));
    expect([status, output]).toEqual([1, expect.stringContaining(`the file ${segments[2]} is missing`)]);
    expect(output).toMatch(/^A restore reaches the change of 20\S+Z\.$/m);
    expect(output).toContain('The backup has problems: 1.');
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
