// Compiles the sources of libraries, `src/**/*.ts` to `dist/**/*.js`, and bundles the programs of apps/. Outputs that are newer than
// their sources stay as they are.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** Specs, their helpers and the examples in docs are checked by the compiler, and never built. */
const NOT_BUILT = /\.(spec|example)\.ts$|(^|\/)testing\//;
const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
/** Whether a package is a page, which Vite builds. */
const isPage = (folder) => existsSync(join(root, folder, 'index.html'));
const hasExports = (folder) => 'exports' in manifestOf(folder);
const packages = manifestOf('.')
  .workspaces.map((pattern) => pattern.replace('/*', ''))
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
  .filter((folder) => existsSync(join(root, folder, 'package.json')));
/** Programs that are bundled: an app that others import is a library. */
const apps = packages
  .filter((folder) => dirname(folder) === 'apps' && !hasExports(folder) && !isPage(folder))
  .map((folder) => basename(folder));
/** Not there while a build writes, so that the next build replaces the outputs of a build that was killed. */
const mark = join(import.meta.dirname, 'dist', 'complete');
const isComplete = existsSync(mark);

/**
 * Brings all outputs up to date.
 * @returns how many files were written
 * @throws {Error} with a message for each file that SWC cannot read, or that cannot be bundled
 */
export async function compile() {
  const files = (await compileLibraries()) + (await bundlePrograms()) + (await buildPages());
  mkdirSync(dirname(mark), { recursive: true });
  if (files > 0) writeFileSync(mark, '');
  return files;
}

const unmark = () => rmSync(mark, { force: true });

async function compileLibraries() {
  const isOld = outputsOlderThan(lastChange('swc.mjs'));
  const old = libraries().flatMap(sourcesIn).filter(isOld);
  if (old.length === 0) return 0;
  unmark();
  const [{ transform }, { swc }] = await Promise.all([import('@swc/core'), import('./swc.mjs')]);
  const done = await Promise.allSettled(
    old.map(async ({ source, output }) => {
      const { code } = await transform(await readFile(source, 'utf8'), { ...swc, filename: source });
      mkdirSync(dirname(output), { recursive: true });
      await writeFile(output, code);
    }),
  );
  const failed = done.filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => reason.message).join('\n'));
  return old.length;
}

async function bundlePrograms() {
  const sources = [
    ...libraries().flatMap((folder) => builtIn(join(folder, 'src'))),
    ...apps.flatMap((name) => builtIn(join(root, 'apps', name, 'src'))),
  ];
  const outputs = apps.map((name) => join(root, 'apps', name, 'dist', 'main.js'));
  const last = Math.max(lastChange('swc.mjs', 'bundle.mjs'), ...sources.map(changedAt));
  if (outputs.every((path) => changedAt(path) > last)) return 0;
  unmark();
  const { bundle } = await import('./bundle.mjs');
  return bundle(root, apps);
}

async function buildPages() {
  const old = packages.filter(isPage).filter((name) => {
    const folder = join(root, name);
    const sources = filesIn(join(folder, 'src')).map((file) => join(folder, 'src', file));
    const settings = ['index.html', 'vite.config.mjs'].map((file) => join(folder, file));
    const last = Math.max(lastChange('page.mjs'), ...[...settings, ...sources].map(changedAt));
    return changedAt(join(folder, 'dist', 'index.html')) < last;
  });
  if (old.length === 0) return 0;
  unmark();
  const { buildPage } = await import('./page.mjs');
  let files = 0;
  for (const name of old) files += await buildPage(join(root, name));
  return files;
}

/** When the packages or these files of the build changed last. Infinity if every output is to be replaced. */
const lastChange = (...files) =>
  Math.max(
    isComplete ? 0 : Infinity,
    ...[...files.map((file) => join('tools', 'build', file)), 'package-lock.json'].map((file) =>
      changedAt(join(root, file)),
    ),
  );

/** The packages that others import. */
function libraries() {
  return packages.filter((folder) => hasExports(folder)).map((folder) => join(root, folder));
}

/** The sources of a package with their outputs. Removes outputs whose source is gone. */
function sourcesIn(folder) {
  const [src, dist] = ['src', 'dist'].map((name) => join(folder, name));
  const outputs = new Map(builtIn(src).map((file) => [relative(src, file).replace(/ts$/, 'js'), file]));
  for (const file of filesIn(dist)) if (file.endsWith('.js') && !outputs.has(file)) rmSync(join(dist, file));
  return [...outputs].map(([file, source]) => ({ source, output: join(dist, file) }));
}

/** The sources in a folder that are built. */
const builtIn = (src) =>
  filesIn(src)
    .filter((file) => file.endsWith('.ts') && !NOT_BUILT.test(file))
    .map((file) => join(src, file));

function outputsOlderThan(least) {
  return ({ source, output }) => changedAt(output) < Math.max(least, changedAt(source));
}

const filesIn = (folder) =>
  changedAt(folder) === 0 ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** The time of a file's last change, or 0 if the file does not exist. */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
