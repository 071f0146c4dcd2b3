// Finds a Redis or Valkey server, for specs that need one: on PATH, in the cache, as the distribution's package.
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { withPackage } from './debian.js';
import { messageOf } from '@practice/process';
import { Failure, programPath } from '@practice/operator';

export interface RedisProgram {
  readonly file: string;
  /** Folders of libraries from its package, if it was not installed on the system. */
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
  const [file, lib] = [join(folder, 'bin', 'redis-server'), join(folder, 'lib')];
  if (!existsSync(file)) return undefined;
  return { file, libraries: [lib, ...readdirSync(lib).map((name) => join(lib, name))].join(delimiter) };
}

function keep(unpacked: string, folder: string): RedisProgram {
  const beside = `${folder}.${process.pid}`;
  for (const part of ['bin', 'lib'])
    cpSync(join(unpacked, 'usr', part), join(beside, part), { recursive: true, verbatimSymlinks: true });
  // Another process has fetched the same program meanwhile.
  if (existsSync(folder)) rmSync(beside, { recursive: true });
  else renameSync(beside, folder);
  const kept = inCache(folder);
  if (kept === undefined) throw new Error('the package holds no redis-server');
  return kept;
}
