// Restores the database of a backup into a data folder, as it was at a chosen time.
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { makeDataFolder, MIGRATED } from '../settings/data-folder.js';
import { Failure } from '../common/failure.js';
import { freePort } from '../common/ports.js';
import { emptyCluster, removeData, type Cluster } from '../postgres/cluster.js';
import { startPostgres, stopPostgres } from '../postgres/server.js';
import { claim } from '../processes/claim.js';
import { tailOf } from '../processes/log-file.js';
import { forgetRestore, noteRestore, readRestore } from '../settings/restored.js';
import type { Stages } from '../common/stages.js';
import { archiveOf, hasTimeline, type Archive } from './archive.js';
import { basesOf } from './base-backup.js';
import { filesOf, stamp, systemsOf, type Base } from './layout.js';
import { recoverySettings, serveWal } from './recovery.js';
import { restoreState } from './state.js';
import type { Target } from './target.js';

export interface Wanted {
  /** Recovers up to this time, or up to the first gap in the archive (`gap`). If undefined, up to the end of the archive. */
  readonly to: Date | 'gap' | undefined;
  /** The timeline to follow; the latest one if it is undefined. */
  readonly timeline: number | undefined;
}

export interface Restore extends Wanted {
  readonly dataDir: string;
  readonly target: Target;
  readonly stages: Stages;
}

/** Milliseconds. A recovery reads the whole log since the base backup. */
const RECOVERED_WITHIN = 24 * 3_600_000;
const TOO_LATE = 'recovery ended before configured recovery target was reached';

/**
 * Restores the database and the secrets. The current database is moved aside, and the ledgers of erasures keep their entries. The
 * target is only read.
 * @returns the time of the last change that was restored
 * @throws {Failure} if a system runs on the folder, or the backup is damaged or does not contain the time. The current database is
 *   then back in its place.
 */
export async function restore({ dataDir, target, stages, ...wanted }: Restore): Promise<string> {
  const source = await sourceOf(target, wanted);
  makeDataFolder(dataDir);
  const claimed = await claim(dataDir);
  try {
    const putBack = putAside(dataDir, stages);
    noteRestore(dataDir, 'restoring');
    rmSync(join(dataDir, MIGRATED), { force: true });
    try {
      const reached = await rebuild(dataDir, source, stages);
      const time = wanted.to === 'gap' ? new Date(reached) : wanted.to;
      await stages.run('Secrets and ledgers', () => restoreState({ ...source, dataDir }, time));
      noteRestore(dataDir, 'restored');
      return reached;
    } catch (error) {
      putBack();
      throw error;
    }
  } finally {
    claimed.release();
  }
}

export interface Source extends Pick<Wanted, 'to'> {
  readonly target: Target;
  readonly system: string;
  readonly archive: Archive;
  readonly base: Base;
}

const timeOf = ({ to }: Pick<Wanted, 'to'>): Date | undefined => (to instanceof Date ? to : undefined);

/** Finds the newest base backup before the time. @throws {Failure} if no backup is old enough, or the archive has a gap and `to` is not set */
export async function sourceOf(target: Target, { to, timeline }: Wanted): Promise<Source> {
  const systems = systemsOf(target);
  // Before `npm start -- --fresh`, another system may have written to the same place.
  const having = systems.filter((system) => hasTimeline(target, system, timeline ?? 1));
  const all = await Promise.all(
    (having.length > 0 ? having : systems).map(async (system) => {
      const archive = await archiveOf(target, system, timeline);
      const bases = (await basesOf(target, system)).filter(archive.contains);
      return bases.map((base) => ({ target, system, archive, base, to }));
    }),
  );
  const time = timeOf({ to });
  const source = all
    .flat()
    .filter(({ base }) => time === undefined || new Date(base.completedAt) <= time)
    .sort((one, other) => one.base.completedAt.localeCompare(other.base.completedAt))
    .at(-1);
  if (source === undefined)
    throw new Failure(
      time === undefined
        ? 'BACKUP_TARGET has no complete backup.'
        : `BACKUP_TARGET has no complete backup from before ${time.toISOString()}.`,
    );
  const gap = source.archive.gapAfter(source.base);
  if (gap === undefined || to !== undefined) return source;
  throw new Failure(
    `${gapOf(gap)} Nothing was restored. Restore with --to gap: it ends before the gap, and prints the time that it reached.`,
  );
}

/** The message about a missing file. */
export const gapOf = (missing: string): string =>
  `The archive has a gap: the file ${missing} is missing, so changes after it cannot be restored.`;

/**
 * Moves the current database aside in one step, with copies of its secrets. Only files of an interrupted restore are deleted. @returns a
 * function that undoes the move
 */
function putAside(dataDir: string, stages: Stages): () => void {
  const [cluster, state] = [join(dataDir, 'postgres'), readRestore(dataDir)];
  const isThere = existsSync(cluster) && state !== 'restoring';
  const putStateBack = (): void => {
    if (state === undefined) forgetRestore(dataDir);
    // The state before a killed restore is unknown. An epoch too many does no harm.
    else noteRestore(dataDir, state === 'aside' && isThere ? 'restored' : state);
  };
  if (!isThere)
    return () => {
      removeData(cluster);
      putStateBack();
    };
  const aside = join(dataDir, `before-restore-${stamp(new Date())}`);
  const names = ['secrets.json', MIGRATED].filter((name) => existsSync(join(dataDir, name)));
  mkdirSync(aside, { mode: 0o711 });
  for (const name of names) copyFileSync(join(dataDir, name), join(aside, name));
  noteRestore(dataDir, 'aside');
  renameSync(cluster, join(aside, 'postgres'));
  stages.say(`The database that was there is in ${aside}. Delete it when you no longer need it.`);
  return () => {
    removeData(cluster);
    for (const name of ['postgres', ...names]) renameSync(join(aside, name), join(dataDir, name));
    rmdirSync(aside);
    putStateBack();
    stages.say('The previous database was put back.');
  };
}

/** Rebuilds the database in a folder that has none. @returns the time of the last change */
export async function rebuild(dataDir: string, source: Source, stages: Stages): Promise<string> {
  const { target, system, base } = source;
  const cluster = emptyCluster(dataDir);
  await stages.run(`Base backup of ${base.completedAt}`, () =>
    unpack(target.get(filesOf(system, base.id)), cluster),
  );
  return stages.run(
    'Write-ahead log',
    () => recover(cluster, join(dataDir, 'logs', 'recovery.log'), source),
    (reached) => `up to ${reached}`,
  );
}

async function unpack(files: Readable, { folder, account }: Cluster): Promise<void> {
  const own = (path: string): void => {
    if (account) chownSync(path, account.uid, account.gid);
  };
  const unpacked = extract();
  const write = async (): Promise<void> => {
    for await (const entry of unpacked) {
      const path = join(folder, entry.header.name);
      if (entry.header.type === 'directory') mkdirSync(path, { mode: 0o700 });
      else await writeNew(path, entry);
      own(path);
      entry.resume();
    }
  };
  await Promise.all([pipeline(files, unpacked), write()]);
}

/** Writes a file with synchronous calls. A backup has thousands of small files, and awaiting each call would take longer than the call. */
async function writeNew(path: string, content: AsyncIterable<unknown>): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    for await (const part of content) writeFileSync(file, part as Buffer);
  } finally {
    closeSync(file);
  }
}

async function recover(cluster: Cluster, logFile: string, source: Source): Promise<string> {
  const { archive, base } = source;
  const extra = recoverySettings(archive.timeline, timeOf(source));
  rmSync(logFile, { force: true });
  const stopServing = serveWal(cluster, source);
  try {
    const server = { cluster, port: await freePort(), logFile, isFirst: true, extra };
    await stopPostgres(await startPostgres({ ...server, within: RECOVERED_WITHIN }));
  } catch (error) {
    const gap = archive.gapAfter(base);
    if (tailOf(logFile, 30).includes(TOO_LATE))
      throw new Failure(
        gap === undefined
          ? 'The backup ends before that time. Without --to, the restore goes to its end.'
          : `${gapOf(gap)} The time of --to is one of them.`,
        { cause: error },
      );
    throw error;
  } finally {
    await stopServing();
  }
  const [, last] =
    /last completed transaction was at log time (\S+ \S+)\+00/.exec(tailOf(logFile, 1000)) ?? [];
  return last === undefined ? base.completedAt : `${last.replace(' ', 'T')}Z`;
}
