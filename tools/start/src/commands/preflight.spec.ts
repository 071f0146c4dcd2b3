import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  argumentsOfScript,
  makeDataFolder,
  noteMigrations,
  projectFolder,
  targetOf,
} from '@practice/operator';
import { session } from '@practice/testing';

type Problem = (environment: Readonly<Record<string, string>>) => string | undefined;
const bin = join(projectFolder, 'tools', 'start', 'bin');
const { dataProblem, keyProblem } = (await import(join(bin, 'preflight.mjs'))) as Record<
  'dataProblem' | 'keyProblem',
  Problem
>;

const home = mkdtempSync(join(tmpdir(), 'practice-preflight-'));
afterAll(() => rmSync(home, { recursive: true }));

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(home, 'data-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
};
/** The output and the status of a command. An install or a build would print its stage. */
const ended = (program: string, env: Readonly<Record<string, string>>) =>
  session(process.execPath, argumentsOfScript(program), { env });

describe('before an install', () => {
  it('a start refuses data of a newer format, or with a newer migration', async () => {
    const newer = folderWith({ format: '99\n' });
    expect(await ended('start', { DATA_DIR: newer })).toEqual({
      status: 1,
      output: `DATA_DIR=${newer} has data of a newer version (format 99; this version reads 2). Start that version, or restore a backup from before the upgrade.\n`,
    });
    const migrated = folderWith({ format: '2\n', migrated: '9999-add-rooms.sql\n' });
    expect(await ended('start', { DATA_DIR: migrated })).toEqual({
      status: 1,
      output: `DATA_DIR=${migrated} has data of a newer version: this version lacks the migration 9999-add-rooms.sql. Start that version, or restore a backup from before the upgrade.\n`,
    });
    expect(dataProblem({ DATA_DIR: migrated, DATABASE_URL: 'postgres://elsewhere' })).toBeUndefined();
  });

  it('a start accepts its own data, and a folder without data', () => {
    const own = folderWith({});
    makeDataFolder(own);
    noteMigrations(own);
    expect(dataProblem({ DATA_DIR: own })).toBeUndefined();
    expect(dataProblem({ DATA_DIR: join(home, 'none') })).toBeUndefined();
  });

  it.each(['start', 'restore', 'backup'])('%s refuses a wrong BACKUP_KEY in one line', async (program) => {
    const BACKUP_TARGET = join(home, `target-${program}`);
    mkdirSync(BACKUP_TARGET);
    const keys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64url'));
    const [BACKUP_KEY = '', other = ''] = keys;
    const settings = { BACKUP_TARGET, BACKUP_KEY, BACKUP_COMMAND: '' };
    expect(keyProblem(settings)).toBeUndefined();
    await targetOf(settings)?.put('1/state/a', Readable.from(['content']));
    expect(keyProblem(settings)).toBeUndefined();
    const env = { DATA_DIR: join(home, 'none'), BACKUP_TARGET };
    for (const [key, output] of [
      [other, 'BACKUP_KEY is another key than that of the backups in BACKUP_TARGET.\n'],
      ['short', 'BACKUP_KEY is not a key of 32 bytes.\n'],
      ['file:/nonexistent', 'The file of BACKUP_KEY cannot be read.\n'],
    ] as const)
      expect(await ended(program, { ...env, BACKUP_KEY: key })).toEqual({ status: 1, output });
    expect(() => targetOf({ ...settings, BACKUP_KEY: other })).toThrow(
      'another key than that of the backups',
    );
  });
});
