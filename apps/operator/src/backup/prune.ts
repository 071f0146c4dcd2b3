import { archiveOf } from './archive.js';
import { basesOf } from './base-backup.js';
import { baseFolder, timeOf, walName, stateFolder } from './layout.js';
import type { Target } from './target.js';

/** The place of a file in the log: its name without the eight digits of the timeline. */
const placeOf = (wal: string): string => wal.slice(8, 24);

/**
 * Deletes files that are only needed to restore the database to a time before the limit. The newest base backup before the limit
 * stays: with it, every time since the limit can be restored. A backup from a branch that a restore has left cannot serve for that.
 * @returns the number of deleted base backups
 */
export async function prune(target: Target, system: string, limit: Date): Promise<number> {
  const { contains } = await archiveOf(target, system);
  const all = await basesOf(target, system);
  const bases = all.filter(contains);
  const first = bases.findLastIndex(({ completedAt }) => new Date(completedAt) <= limit);
  const [oldest] = bases.slice(Math.max(0, first));
  if (oldest === undefined) return 0;
  for (const id of target.list(baseFolder(system)))
    if (id < oldest.id) target.remove(`${baseFolder(system)}/${id}`);
  // Histories of timelines are small, and record how a newer timeline began.
  for (const file of target.list(walName(system, '')))
    if (!file.endsWith('.history') && placeOf(file) < placeOf(oldest.firstWal))
      target.remove(walName(system, file));
  const states = target
    .list(stateFolder(system))
    .filter((name) => timeOf(name) < new Date(oldest.completedAt));
  for (const name of states.slice(0, -1)) target.remove(`${stateFolder(system)}/${name}`);
  return all.indexOf(oldest);
}
