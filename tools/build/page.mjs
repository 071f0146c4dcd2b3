// Builds a page with Vite, and compresses its files beside them, so that the gateway needs no compressor.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

/**
 * @param {string} folder of the package
 * @returns how many files were written
 * @throws {Error} if a file cannot be read or compiled
 */
export async function buildPage(folder) {
  await build({ root: folder, configFile: join(folder, 'vite.config.mjs'), logLevel: 'error' });
  const dist = join(folder, 'dist');
  const files = readdirSync(dist).filter((file) => /\.(?:js|css|svg)$/.test(file));
  for (const file of files)
    writeFileSync(join(dist, `${file}.br`), brotliCompressSync(readFileSync(join(dist, file))));
  return files.length + 1;
}
