import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { keyFilesIn, personalKeysOf, rotateKeys, type KeyStore } from './key-lists.js';
import { openSecrets } from './secrets.js';

const list = personalKeysOf('clients');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'key-lists-'));
  const secrets = openSecrets(folder);
  secrets.get(list.secret);
  secrets.save();
});
afterEach(() => rmSync(folder, { recursive: true }));

const store: KeyStore = () => ({ secrets: openSecrets(folder), write: keyFilesIn(folder) });
const keys = (): string[] => readFileSync(join(folder, list.file), 'utf8').trim().split(',');
const sealed = (): Promise<number> => Promise.resolve(0);

it('a rotation keeps the new key and the previous one', async () => {
  await rotateKeys(list, store, sealed);
  const [second, first] = keys();
  await rotateKeys(list, store, () => {
    expect(keys().slice(1)).toEqual([second, first]);
    return sealed();
  });
  expect(keys().slice(1)).toEqual([second]);
  expect(openSecrets(folder).find(list.secret)).toBe(keys().join());
});

it('a rotation that fails removes no key', async () => {
  await rotateKeys(list, store, sealed);
  const before = keys();
  expect(await rotateKeys(list, store, () => Promise.resolve(1))).toBe(1);
  expect(keys().slice(1)).toEqual(before);
});

it('a rotation keeps the key of another one that began later and ended before it', async () => {
  let newest: string | undefined;
  await rotateKeys(list, store, async () => {
    await rotateKeys(list, store, sealed);
    [newest] = keys();
    return 0;
  });
  expect(keys()[0]).toBe(newest);
});

it('a rotation of keys that do not exist is refused, and makes none', async () => {
  await expect(rotateKeys(personalKeysOf('finance'), store, sealed)).rejects.toThrow(
    'has no personal_keys_finance',
  );
  expect(openSecrets(folder).find('personal_keys_finance')).toBeUndefined();
});
