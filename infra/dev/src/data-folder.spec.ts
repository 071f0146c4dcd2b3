import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { makeDataFolder } from './data-folder.js';

describe('the data folder', () => {
  const home = mkdtempSync(join(tmpdir(), 'data-folder-'));
  afterAll(() => rmSync(home, { recursive: true }));

  it('is made where there is none, and taken where there is one', () => {
    const path = join(home, 'a', 'b');
    makeDataFolder(path);
    makeDataFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it.each(['file', 'file/below'])('that cannot be one is named with its variable: %s', (name) => {
    writeFileSync(join(home, 'file'), '');
    const path = join(home, name);
    expect(() => makeDataFolder(path)).toThrow(`DATA_DIR=${path} cannot be used: E`);
  });
});
