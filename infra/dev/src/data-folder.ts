import { accessSync, constants, mkdirSync } from 'node:fs';
import { Failure, messageOf } from './failure.js';

/**
 * Makes the data folder where there is none.
 * @throws {Failure} naming DATA_DIR when it is no folder, or none that this user may write to
 */
export function makeDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Failure(`DATA_DIR=${path} cannot be used: ${messageOf(error)}`);
  }
}
