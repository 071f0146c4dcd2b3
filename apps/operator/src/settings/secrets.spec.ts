import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openSecrets } from './secrets.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'secrets-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('concurrent commands keep the secrets that the other command has changed', () => {
  const before = openSecrets(folder);
  before.set('one', 'old');
  before.save();
  const [first, second] = [openSecrets(folder), openSecrets(folder)];
  first.set('one', 'new');
  first.save();
  const made = second.get('two');
  second.save();
  const after = openSecrets(folder);
  expect([after.find('one'), after.find('two')]).toEqual(['new', made]);
});
