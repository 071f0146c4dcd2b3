import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { makeDataFolder, requireData } from './data-folder.js';

const home = mkdtempSync(join(tmpdir(), 'data-folder-'));
afterAll(() => rmSync(home, { recursive: true }));

const folderWith = (name: string, files: Readonly<Record<string, string>>): string => {
  const path = join(home, name);
  mkdirSync(path, { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
  return path;
};

describe('the data folder', () => {
  it('is created if it does not exist, and kept if it does', () => {
    const path = join(home, 'a', 'b');
    makeDataFolder(path);
    makeDataFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
    expect(() => requireData(path)).toThrow('contains no data');
  });

  it.each(['file', 'file/below'])('is refused, naming its variable, if it is no folder: %s', (name) => {
    writeFileSync(join(home, 'file'), '');
    const path = join(home, name);
    expect(() => makeDataFolder(path)).toThrow(`DATA_DIR=${path} cannot be used: E`);
  });

  it('is refused if its data has no format or another format', () => {
    const old = folderWith('old', { 'secrets.json': '{}' });
    const newer = folderWith('newer', { 'secrets.json': '{}', format: '99\n' });
    expect(() => makeDataFolder(old)).toThrow(/data of format 1; .*npm start -- --fresh/);
    expect(() => requireData(newer)).toThrow('data of format 99;');
  });

  it('is refused while an interrupted restore has put its data aside', () => {
    const path = folderWith('half-restored', { restored: 'restoring\n' });
    expect(() => requireData(path)).toThrow('was interrupted. Run npm run restore again.');
  });

  it('is accepted if its data has the format of this version', () => {
    const path = join(home, 'current');
    makeDataFolder(path);
    writeFileSync(join(path, 'secrets.json'), '{}');
    expect(() => makeDataFolder(path)).not.toThrow();
    expect(() => requireData(path)).not.toThrow();
  });
});
