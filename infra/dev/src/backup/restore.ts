// Puts the database of a backup into a data folder, as it was at a chosen time.
import { chownSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { makeDataFolder } from '../data-folder.js';
import { Failure } from '../failure.js';
import { freePort } from '../ports.js';
import { emptyCluster, type Cluster } from '../postgres/cluster.js';
import { startPostgres, stopPostgres } from '../postgres/server.js';
import { claim } from '../processes/claim.js';
import { tailOf } from '../processes/log-file.js';
import { noteRestore, readRestore } from '../restored.js';
import type { Stages } from '../stages.js';
import { archiveSettings, startArchiver } from './archiver.js';
import { basesOf } from './base-backup.js';
import { filesOf, stamp, type Base } from './layout.js';
import { recoverySettings, serveWal, type Wanted } from './recovery.js';
import { restoreState } from './state.js';
import type { Target } from './target.js';

export interface Restore extends Wanted {
  readonly dataDir: string;
  readonly target: Target;
  readonly stages: Stages;
}

/** A recovery reads the whole log since the base backup. */
const RECOVERED_WITHIN = 24 * 3_600_000;
const TOO_LATE = 'recovery ended before configured recovery target was reached';

/**
 * Restores the database and the secrets. The present database is put aside, and the ledgers of erasures keep their entries.
 * @throws {Failure} if a system runs on the folder, or the backup does not have that time; it can be called again
 */
export async function restore({ dataDir, target, stages, ...wanted }: Restore): Promise<void> {
  const { system, base } = await chosen(target, wanted.to);
  makeDataFolder(dataDir);
  const claimed = await claim(dataDir);
  try {
    putAside(dataDir, stages);
    noteRestore(dataDir, 'restoring');
    await stages.run('Secrets and ledgers', () => restoreState({ dataDir, system, target }, wanted.to));
    const cluster = emptyCluster(dataDir);
    await stages.run(`Base backup of ${base.completedAt}`, () =>
      unpack(target.get(filesOf(system, base.id)), cluster),
    );
    await stages.run('Write-ahead log', () => recover(cluster, { dataDir, system, target, stages, wanted }));
    noteRestore(dataDir, 'restored');
  } finally {
    claimed.release();
  }
}

async function chosen(target: Target, to: Date | undefined): Promise<{ system: string; base: Base }> {
  const all = await Promise.all(
    target.list('.').map(async (system) => (await basesOf(target, system)).map((base) => ({ system, base }))),
  );
  const fitting = all
    .flat()
    .filter(({ base }) => to === undefined || new Date(base.completedAt) <= to)
    .sort((one, other) => one.base.completedAt.localeCompare(other.base.completedAt));
  const newest = fitting.at(-1);
  if (newest !== undefined) return newest;
  throw new Failure(
    to === undefined
      ? 'BACKUP_TARGET has no complete backup.'
      : `BACKUP_TARGET has no complete backup from before ${to.toISOString()}.`,
  );
}

/** Nothing is deleted, except what an interrupted restore has left. */
function putAside(dataDir: string, stages: Stages): void {
  if (readRestore(dataDir) === 'restoring' || !existsSync(join(dataDir, 'postgres'))) return;
  const aside = join(dataDir, `before-restore-${stamp(new Date())}`);
  mkdirSync(aside, { mode: 0o711 });
  for (const name of ['postgres', 'secrets.json'])
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(aside, name));
  stages.say(`The database that was there is in ${aside}. Delete it when you no longer need it.`);
}

async function unpack(files: Readable, { folder, account }: Cluster): Promise<void> {
  const own = (path: string): void => {
    if (account) chownSync(path, account.uid, account.gid);
  };
  const unpacked = extract();
  const reading = pipeline(files, unpacked);
  for await (const entry of unpacked) {
    const path = join(folder, entry.header.name);
    if (entry.header.type === 'directory') mkdirSync(path, { mode: 0o700 });
    else {
      const file = await open(path, 'wx', 0o600);
      await pipeline(entry, file.createWriteStream());
    }
    own(path);
    entry.resume();
  }
  await reading;
}

interface Recovery extends Pick<Restore, 'dataDir' | 'target' | 'stages'> {
  readonly system: string;
  readonly wanted: Wanted;
}

async function recover(
  cluster: Cluster,
  { dataDir, system, target, stages, wanted }: Recovery,
): Promise<void> {
  const logFile = join(dataDir, 'logs', 'postgres.log');
  const stopServing = serveWal(cluster, { system, target });
  const archiver = startArchiver({ folder: cluster.folder, dataDir, target, say: stages.say });
  try {
    const extra = { ...archiveSettings, ...recoverySettings(wanted) };
    const port = await freePort();
    const child = await startPostgres({
      cluster,
      port,
      logFile,
      isFirst: true,
      extra,
      within: RECOVERED_WITHIN,
    });
    await stopPostgres(child);
  } catch (error) {
    if (tailOf(logFile, 30).includes(TOO_LATE))
      throw new Failure('The backup ends before that time. Without --to, the restore goes to its end.', {
        cause: error,
      });
    throw error;
  } finally {
    await archiver.stop();
    await stopServing();
  }
}
