// A base backup of the running built-in Postgres with the low-level API: pg_backup_start, a copy of the files, pg_backup_stop. Files
// may change during the copy. At a restore, the write-ahead log between the two calls repairs them.
import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { pack as newPack, type Pack } from 'tar-stream';
import type { Client } from 'pg';
import { Failure } from '../common/failure.js';
import { ARCHIVED } from './archiver.js';
import { baseFolder, filesOf, manifestOf, stamp, walName, type Base } from './layout.js';
import type { Target } from './target.js';

/** Folders that are copied without their content: Postgres fills them at its start, or the archive has the content. */
const EMPTIED = [
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp'],
  ...['pg_subtrans', ARCHIVED],
];
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label(\.old)?|tablespace_map(\.old)?|recovery\.signal|standby\.signal)$/;
/** Copied last, so that it is not older than any other file. */
const CONTROL = 'global/pg_control';
const ARCHIVED_WITHIN = '10min';

export interface BaseBackup {
  /** Connected to the running server as its superuser. */
  readonly client: Client;
  /** Folder of the cluster. */
  readonly folder: string;
  readonly system: string;
  readonly target: Target;
}

/**
 * Copies the running database into the target.
 * @throws {Failure} when the log of the database is not archived
 */
export async function makeBaseBackup({ client, folder, system, target }: BaseBackup): Promise<Base> {
  target.removeHalves();
  const id = stamp(new Date());
  const { rows } = await client.query<{ wal: string }>(
    `SELECT pg_walfile_name(pg_backup_start($1, true)) AS wal`,
    [id],
  );
  const firstWal = rows[0]?.wal ?? '';
  const pack = newPack();
  const stored = target.put(filesOf(system, id), Readable.from(pack as AsyncIterable<Buffer>));
  const copied = await Promise.race([
    stored.then(() => Promise.reject(new Failure('The files of the backup ended early.'))),
    fill(pack, { client, folder }),
  ]).catch(async (error: unknown) => {
    // Otherwise the target would wait for the rest of the files, and keep its incomplete copy of the database.
    pack.destroy(error as Error);
    await stored.catch(() => undefined);
    throw error;
  });
  await stored;
  if (!target.has(walName(system, firstWal)))
    throw new Failure(
      'The running system archives its log in another place: start it with the same BACKUP_TARGET.',
    );
  const base: Base = { id, ...copied, firstWal };
  await target.put(manifestOf(system, id), Readable.from([JSON.stringify(base)]));
  return base;
}

/** The complete base backups of a system, the oldest first. */
export async function basesOf(target: Target, system: string): Promise<Base[]> {
  const complete = target.list(baseFolder(system)).filter((id) => target.has(manifestOf(system, id)));
  return Promise.all(complete.map(async (id) => (await json(target.get(manifestOf(system, id)))) as Base));
}

/** Adds all files to the archive. */
async function fill(
  pack: Pack,
  { client, folder }: Pick<BaseBackup, 'client' | 'folder'>,
): Promise<Pick<Base, 'completedAt' | 'bytes'>> {
  let bytes = 0;
  for await (const { name, isFolder } of entriesOf(folder, ''))
    if (isFolder) pack.entry({ name, type: 'directory', mode: 0o700 });
    else if (name !== CONTROL) bytes += await add(pack, folder, name);
  bytes += await add(pack, folder, CONTROL);
  await client.query(`SET statement_timeout = '${ARCHIVED_WITHIN}'`);
  const { rows } = await client
    .query<{ label: string; map: string; at: Date }>(
      'SELECT labelfile AS label, spcmapfile AS map, clock_timestamp() AS at FROM pg_backup_stop(true)',
    )
    .catch((cause: unknown) => {
      throw new Failure(
        'The write-ahead log of the backup was not archived; see the messages of npm start.',
        { cause },
      );
    });
  const [stop] = rows;
  if (stop === undefined || stop.map.trim() !== '') throw new Failure('Tablespaces cannot be backed up.');
  pack.entry({ name: 'backup_label', mode: 0o600 }, stop.label);
  pack.finalize();
  return { completedAt: stop.at.toISOString(), bytes };
}

/** The files and folders that a copy of the cluster needs. */
async function* entriesOf(
  folder: string,
  below: string,
): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  for (const entry of await readdir(join(folder, below), { withFileTypes: true }).catch(ifGone([]))) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (LEFT_OUT.test(entry.name)) continue;
    if (!entry.isDirectory()) {
      if (entry.isFile()) yield { name, isFolder: false };
      continue;
    }
    yield { name, isFolder: true };
    if (!EMPTIED.includes(name)) yield* entriesOf(folder, name);
  }
}

/** Adds a file with its current size. If the file shrinks during the copy, zeros fill the rest. @returns the size; 0 if it is gone */
async function add(pack: Pack, folder: string, name: string): Promise<number> {
  const file = await open(join(folder, name), constants.O_RDONLY).catch(ifGone(undefined));
  if (file === undefined) return 0;
  try {
    const { size } = await file.stat();
    if (size === 0) pack.entry({ name, mode: 0o600 }, '');
    else await pipeline(Readable.from(exactly(file, size)), pack.entry({ name, size, mode: 0o600 }));
    return size;
  } finally {
    await file.close();
  }
}

async function* exactly(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const wanted = Buffer.alloc(Math.min(256 * 1024, size - position));
    const { bytesRead } = await file.read(wanted, 0, wanted.length, position);
    const part = bytesRead === 0 ? wanted : wanted.subarray(0, bytesRead);
    position += part.length;
    yield part;
  }
}

const ifGone =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
