import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyEncryptionOf } from './key-encryption.js';

const [first, second] = ['the first key-encryption key ever', 'the second key-encryption key ever'].map(
  (name) => name.replaceAll(' ', '-'),
) as [string, string];
const key = Buffer.from('the key of a client');

describe('key-encryption keys', () => {
  it('seal with the first of them, and open with all', () => {
    const old = keyEncryptionOf(first).seal(key, 'ada');
    const both = keyEncryptionOf(`${second},${first}`);
    expect(both.open(old, 'ada')).toEqual(key);
    expect([both.isCurrent(old, 'ada'), both.isCurrent(both.seal(key, 'ada'), 'ada')]).toEqual([false, true]);
  });

  it('open a key only under its own name', () => {
    const keys = keyEncryptionOf(first);
    expect(() => keys.open(keys.seal(key, 'ada'), 'bob')).toThrow('no key-encryption key opens');
  });

  it('are read again from their file when they have changed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    try {
      const file = join(folder, 'keys');
      writeFileSync(file, `${first}\n`);
      const running = keyEncryptionOf(`file:${file}`);
      writeFileSync(file, `${second}\n${first}\n`);
      const sealedElsewhere = keyEncryptionOf(second).seal(key, 'ada');
      expect(running.open(sealedElsewhere, 'ada')).toEqual(key);
      expect(keyEncryptionOf(second).open(running.seal(key, 'bob'), 'bob')).toEqual(key);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('may contain spaces: commas and line ends separate them', () => {
    const [spaced, other] = ['one key with spaces', 'another key with spaces'];
    const sealed = keyEncryptionOf(spaced).seal(key, 'ada');
    expect(keyEncryptionOf(` ${other} ,${spaced}\r\n`).open(sealed, 'ada')).toEqual(key);
    expect(() => keyEncryptionOf('one other key').open(sealed, 'ada')).toThrow('no key-encryption key opens');
  });

  it('must exist', () => expect(() => keyEncryptionOf(' ')).toThrow('there is no key-encryption key'));
});
