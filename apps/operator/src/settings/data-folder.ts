import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@practice/process';
import { Failure } from '../common/failure.js';
import { projectFolder } from './project.js';
import { requireWhole } from './restored.js';

/** Number of the layout of everything in a data folder. A version that cannot read older data raises it. */
const DATA_FORMAT = 2;

/** The file is created with the first data. A folder without it has no data, or is older than the file `format`. */
const SECRETS = 'secrets.json';
/** The name of the newest migration that the built-in database has. */
export const MIGRATED = 'migrated';

/**
 * Makes the data folder if it does not exist.
 * @throws {Failure} naming DATA_DIR if it is not a folder, is not writable, or contains data of another format
 */
export function makeDataFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Failure(`DATA_DIR=${path} cannot be used: ${messageOf(error)}`);
  }
  if (existsSync(join(path, SECRETS))) requireFormat(path);
  else writeFileSync(join(path, 'format'), `${DATA_FORMAT}\n`);
}

/**
 * Checks that the folder has data, for commands that need existing data. Creates nothing.
 * @throws {Failure} naming DATA_DIR if it contains no data, or data of another format, or if a restore was interrupted
 */
export function requireData(path: string): void {
  requireWhole(path);
  if (!existsSync(join(path, SECRETS)))
    throw new Failure(`DATA_DIR=${path} contains no data. Start the system once with npm start.`);
  requireFormat(path);
}

/** Notes the newest migration, so that an older version refuses the folder before it installs anything. */
export function noteMigrations(path: string): void {
  const names = readdirSync(join(projectFolder, 'apps'))
    .map((app) => join(projectFolder, 'apps', app, 'migrations'))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.endsWith('.sql'));
  writeFileSync(join(path, MIGRATED), `${names.sort().at(-1)}\n`);
}

function requireFormat(path: string): void {
  const file = join(path, 'format');
  const format = existsSync(file) ? readFileSync(file, 'utf8').trim() : '1';
  if (format === String(DATA_FORMAT)) return;
  throw new Failure(
    `DATA_DIR=${path} contains data of format ${format}; this version reads format ${DATA_FORMAT}. ` +
      `Choose another DATA_DIR, or delete the data with: npm start -- --fresh`,
  );
}
