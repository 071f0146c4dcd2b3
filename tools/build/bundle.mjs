// Bundles each program of apps/ with the packages it needs into `dist/main.js`. A service of 1,600 modules takes a second of processor
// time to load; its bundle takes a quarter of that. Parts that programs share, or load when needed, are files in `dist/` at the root.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from '@swc/core';
import { rolldown } from 'rolldown';
import { swc } from './swc.mjs';

/** Not bundled: machine code. */
const OUTSIDE = '@node-rs/argon2';
const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * Bundles all programs at once.
 * @param {string} root of the tree
 * @param {readonly string[]} apps names of the folders in apps/
 * @returns how many files were written
 * @throws {Error} with a message for each file that cannot be read or resolved
 */
export async function bundle(root, apps) {
  const bundles = await rolldown({
    input: Object.fromEntries(
      apps.map((name) => [`apps/${name}/dist/main`, join(root, 'apps', name, 'src', 'main.ts')]),
    ),
    platform: 'node',
    // The paths in tsconfig.json would load the sources of libraries in addition to their builds.
    tsconfig: false,
    external: OUTSIDE,
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      // For Node, rxjs names files in CommonJS, and a bundle would have all of them.
      alias: { rxjs: join(root, 'node_modules', 'rxjs', 'dist', 'esm') },
    },
    plugins: [compiled],
    onLog: refuse,
    // A warning that the machine is slow says nothing about the code.
    checks: { bundlerTimings: false },
  });
  const { output } = await bundles.write({
    dir: root,
    entryFileNames: '[name].js',
    chunkFileNames: 'dist/[name]-[hash].js',
    keepNames: true,
  });
  await bundles.close();
  removeOld(join(root, 'dist'), new Set(output.map(({ fileName }) => join(root, fileName))));
  return output.length;
}

/** The compiler of the other sources and of specs, so that decorators mean the same everywhere. */
const compiled = {
  name: 'swc',
  transform: {
    filter: { id: /\.ts$/ },
    handler: (code, filename) => transform(code, { ...swc, filename, sourceMaps: true }),
  },
};

/** Fails on a warning about the product's own code. Packages may import optional parts that are not installed: these are not bundled. */
function refuse(_level, { id, message }) {
  if (id?.includes('node_modules') !== true) throw new Error(message);
}

/** Removes parts of earlier builds after a week. A program that started before a build may still load parts of its own build. */
function removeOld(folder, inUse) {
  for (const file of readdirSync(folder).map((name) => join(folder, name)))
    if (!inUse.has(file) && Date.now() - statSync(file).mtimeMs > WEEK_MS) rmSync(file);
}
