// Compiles the sources of every package, `src/**/*.ts` to `dist/**/*.js`. Files whose output is newer than they are stay as they are.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** Specs, their helpers and the examples in docs are checked by the compiler, and never built. */
const NOT_BUILT = /\.(spec|example)\.ts$|(^|\/)testing\//;

/**
 * Brings all outputs up to date.
 * @returns how many files were compiled
 * @throws {Error} with a message for each file that SWC cannot read
 */
export async function compile() {
  const isOld = outputsOlderThan(
    Math.max(...['infra/build/swc.mjs', 'package-lock.json'].map((file) => changedAt(join(root, file)))),
  );
  const sources = packages().flatMap(sourcesIn);
  const old = sources.filter(isOld);
  if (old.length === 0) return 0;
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

/** The folders that package.json lists as workspaces. */
function packages() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return workspaces.flatMap((pattern) => {
    const group = join(root, pattern.replace('/*', ''));
    return pattern.endsWith('/*') ? readdirSync(group).map((name) => join(group, name)) : [group];
  });
}

/** The sources of a package with their outputs. Removes outputs whose source is gone. */
function sourcesIn(folder) {
  const [src, dist] = ['src', 'dist'].map((name) => join(folder, name));
  const built = filesIn(src).filter((file) => file.endsWith('.ts') && !NOT_BUILT.test(file));
  const outputs = new Map(built.map((file) => [file.replace(/ts$/, 'js'), join(src, file)]));
  for (const file of filesIn(dist)) if (file.endsWith('.js') && !outputs.has(file)) rmSync(join(dist, file));
  return [...outputs].map(([file, source]) => ({ source, output: join(dist, file) }));
}

function outputsOlderThan(least) {
  return ({ source, output }) => changedAt(output) < Math.max(least, changedAt(source));
}

const filesIn = (folder) =>
  changedAt(folder) === 0 ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** The time of a file's last change, or 0 without a file. */
const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
