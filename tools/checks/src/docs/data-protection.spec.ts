// The inventory in docs/data-protection.md lists all keys and algorithms that the sources use.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { projectFolder } from '@practice/operator';

const page = readFileSync(join(projectFolder, 'docs/data-protection.md'), 'utf8');

const sources = ['apps', 'libs', 'tools']
  .flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(projectFolder, folder, path),
    ),
  )
  .filter((path) => path.endsWith('.ts') && !/node_modules|\/dist\/|\.spec\.|\/test\/|\/testing\//.test(path))
  .map((path) => readFileSync(path, 'utf8'));

const found = (pattern: RegExp): string[] => [
  ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name))),
];

const simple = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

describe('docs/data-protection.md', () => {
  it('lists every secret of a data folder', () => {
    const names = found(/\bsecrets\.(?:get|find)\(['`]([a-z_]+)/g);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });

  it('lists every hash, cipher and kind of key', () => {
    const names = found(
      /(?:createHash|createHmac|hkdfSync|generateKeyPairSync|createCipheriv|CIPHER =|algorithm:) ?\(?'([\w-]+)'/g,
    );
    expect(names).toEqual(expect.arrayContaining(['sha256', 'aes-256-gcm', 'ed25519', 'ES256']));
    expect(names.filter((name) => !simple(page).includes(simple(name)))).toEqual([]);
  });
});
