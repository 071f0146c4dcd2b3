// The file DATA_DIR/restored. It exists from the beginning of a restore until a start has begun the epochs.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../common/failure.js';
import { writePrivately } from '../common/private-file.js';

/**
 * `aside`: the earlier database is being moved aside. `restoring`: the folder of Postgres is not complete. `restored`: the next start
 * begins an epoch in every log.
 */
export type RestoreState = 'aside' | 'restoring' | 'restored';

const fileIn = (dataDir: string): string => join(dataDir, 'restored');

export const noteRestore = (dataDir: string, state: RestoreState): void =>
  writePrivately(fileIn(dataDir), `${state}\n`);

/** The state of the last restore; undefined if its epochs have begun, or nothing was restored. */
export const readRestore = (dataDir: string): RestoreState | undefined =>
  existsSync(fileIn(dataDir)) ? (readFileSync(fileIn(dataDir), 'utf8').trim() as RestoreState) : undefined;

/** Removes the state of the last restore. Call it when the epochs have begun. */
export const forgetRestore = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

/** @throws {Failure} if a restore was interrupted */
export function requireWhole(dataDir: string): void {
  if ([undefined, 'restored'].includes(readRestore(dataDir))) return;
  throw new Failure('A restore of this data folder was interrupted. Run npm run restore again.');
}
