// The files of a target: one folder for each database system, so that no system overwrites the backups of another.
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.js';

/** A base backup. */
export interface Base {
  readonly id: string;
  /** The database can be restored to this time or a later one. ISO 8601. */
  readonly completedAt: string;
  /** The first file of the write-ahead log that the base backup needs. */
  readonly firstWal: string;
  readonly bytes: number;
}

/** The identifier of a database system: `pg_control` begins with it. It stays the same when the database is restored. */
export function systemOf(clusterFolder: string): string {
  const file = openSync(join(clusterFolder, 'global', 'pg_control'), 'r');
  const bytes = Buffer.alloc(8);
  readSync(file, bytes, 0, 8, 0);
  closeSync(file);
  return bytes.readBigUInt64LE().toString();
}

export const walName = (system: string, file: string): string => `${system}/wal/${file}`;
export const baseFolder = (system: string): string => `${system}/base`;
export const filesOf = (system: string, id: string): string => `${baseFolder(system)}/${id}/files`;
/** The manifest of a base backup. It is written last: a base backup without a manifest is not complete. */
export const manifestOf = (system: string, id: string): string => `${baseFolder(system)}/${id}/manifest`;
export const stateFolder = (system: string): string => `${system}/state`;
export const ledgerFolder = (system: string): string => `${system}/ledgers`;

/** The systems that have files in a target. */
export const systemsOf = (target: Target): string[] => target.list('.').filter((name) => /^\d+$/.test(name));

/** The names of all files of a system, with the files of incomplete base backups. */
export const filesOfSystem = (target: Target, system: string): string[] => [
  ...target
    .list(baseFolder(system))
    .flatMap((id) => [manifestOf(system, id), filesOf(system, id)])
    .filter(target.has),
  ...[walName(system, ''), stateFolder(system), ledgerFolder(system)].flatMap((folder) =>
    target.list(folder).map((file) => join(folder, file)),
  ),
];

/** A time as a file name, such as 20300107T090000.123Z. The names sort by time. */
export const stamp = (time: Date): string => time.toISOString().replaceAll(/[-:]/g, '');

/** The time in a name from `stamp`. */
export const timeOf = (name: string): Date =>
  new Date(name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(.*)$/, '$1-$2-$3T$4:$5:$6'));
