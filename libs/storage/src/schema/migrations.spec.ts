import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMigrations } from '@practice/log';
import { migrationFile } from './migrations.js';

function folderWith(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  for (const file of files) writeFileSync(join(folder, file), `-- ${file}`);
  return folder;
}

describe('a folder of migrations', () => {
  it('is read in the order in which the migrations were written, and other files are ignored', () => {
    const [first, second] = [
      migrationFile('initial', 1795222800000),
      migrationFile('addRoomToAppointments', 1795222800001),
    ];
    const folder = folderWith(second, first, 'README.md');
    expect(readMigrations(folder)).toEqual([
      { name: 'initial1795222800000', sql: `-- ${first}` },
      { name: 'addRoomToAppointments1795222800001', sql: `-- ${second}` },
    ]);
    rmSync(folder, { recursive: true });
  });

  it('is rejected if the name of a file has no time', () => {
    const folder = folderWith('add-room.sql');
    expect(() => readMigrations(folder)).toThrow('add-room.sql: the name of a migration is like');
    rmSync(folder, { recursive: true });
  });
});
