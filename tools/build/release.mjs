// node tools/build/release.mjs FOLDER [--without-packages]: compiles, and copies only the files that an image runs: built files,
// migrations, pages, manifests and the installed packages, without sources, specs, types, and packages that only the build needs.
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './build.mjs';

const root = join(import.meta.dirname, '..', '..');
/** Compilers and bundlers, packages that the built console contains, the client of the README's session, and an optional peer. */
const UNUSED = [
  ...['@oxc-project', '@rolldown', '@supabase', '@swc', 'rolldown', 'typescript'],
  ...[
    '@event-calendar',
    '@floating-ui',
    '@internationalized',
    '@sveltejs',
    'bits-ui',
    'svelte',
    'svelte-toolbelt',
  ],
  ...['lightningcss', 'lightningcss-linux-x64-gnu', 'lightningcss-linux-x64-musl', 'postcss', 'vite'],
];
// `node_modules` of a package has the versions of packages that differ from the ones at the root.
const PARTS = ['package.json', 'dist', 'migrations', 'pages', 'node_modules'];

const [folder, option] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node tools/build/release.mjs FOLDER [--without-packages]');

await compile();
const packages = ['libs', 'apps'].flatMap((group) =>
  readdirSync(join(root, group))
    .filter((name) => name !== 'testing')
    .map((name) => join(group, name)),
);
for (const path of packages)
  for (const part of PARTS) if (existsSync(join(root, path, part))) copy(join(path, part));
for (const path of ['package.json', 'dist', join('apps', 'operator', 'container', 'ready.sh')]) copy(path);
cpSync(join(root, 'apps', 'operator', 'container', 'follow.mjs'), join(folder, 'follow.mjs'));
writeFileSync(join(folder, 'image-id'), randomUUID());
if (option !== '--without-packages') {
  copy('node_modules');
  for (const name of UNUSED) rmSync(join(folder, 'node_modules', name), { recursive: true, force: true });
  // Restores recover with the built-in Postgres. Its links are made now: a container has a read-only root.
  const { postgresBinaries } = await import(
    join(folder, 'apps', 'operator', 'dist', 'postgres', 'binaries.js')
  );
  postgresBinaries(undefined);
}

function copy(path) {
  const isRun = (file) => !/\.(?:[cm]?ts|map|md|tsbuildinfo)$/.test(file);
  cpSync(join(root, path), join(folder, path), { recursive: true, filter: isRun, verbatimSymlinks: true });
}
