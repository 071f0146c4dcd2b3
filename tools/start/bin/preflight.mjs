// Finds problems that would end a start or a restore, before the install, which takes minutes. Imports only modules of Node.
import { hkdfSync } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../../build/bootstrap.mjs';

/** Ends the process with the first problem, if there is one. */
export function refuse(...problems) {
  const problem = problems.find((one) => one !== undefined);
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/** A problem with the key of the backups, or undefined. */
export function keyProblem({ BACKUP_TARGET = '', BACKUP_KEY = '' }) {
  if (BACKUP_TARGET === '' || BACKUP_KEY === '') return undefined;
  const text = BACKUP_KEY.startsWith('file:') ? read(BACKUP_KEY.slice('file:'.length)) : BACKUP_KEY;
  if (text === undefined) return 'The file of BACKUP_KEY cannot be read.';
  const key = Buffer.from(text, 'base64url');
  if (key.length !== 32) return 'BACKUP_KEY is not a key of 32 bytes.';
  const check = read(join(resolve(BACKUP_TARGET), 'key-check'));
  const own = Buffer.from(hkdfSync('sha256', key, '', 'key-check', 32)).toString('hex');
  if (check === undefined || check === own) return undefined;
  return 'BACKUP_KEY is another key than that of the backups in BACKUP_TARGET.';
}

/** A problem with data that a newer version has written, or undefined. */
export function dataProblem({ DATA_DIR = '.data', DATABASE_URL = '' }) {
  const folder = resolve(DATA_DIR || '.data');
  const [format, migration] = ['format', 'migrated'].map((name) => read(join(folder, name)));
  const source = readFileSync(join(root, 'apps', 'operator', 'src', 'settings', 'data-folder.ts'), 'utf8');
  const [, known] = /DATA_FORMAT = (\d+)/.exec(source);
  const advice = 'Start that version, or restore a backup from before the upgrade.';
  if (Number(format ?? 0) > Number(known))
    return `DATA_DIR=${folder} has data of a newer version (format ${format}; this version reads ${known}). ${advice}`;
  if (migration === undefined || DATABASE_URL !== '' || isKnown(migration)) return undefined;
  return `DATA_DIR=${folder} has data of a newer version: this version lacks the migration ${migration}. ${advice}`;
}

const isKnown = (migration) =>
  readdirSync(join(root, 'apps')).some((app) => existsSync(join(root, 'apps', app, 'migrations', migration)));

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
