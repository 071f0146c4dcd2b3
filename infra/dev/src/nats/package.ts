// nats-server as Debian and Ubuntu have it.
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withPackage } from '../debian.js';

/**
 * Fetches the package's program into the cache.
 * @returns path of the program
 * @throws when it cannot be had
 */
export function fetchPackage(cacheDir: string): Promise<string> {
  return withPackage({ name: 'nats-server' }, cacheDir, (unpacked) =>
    keep(unpacked, resolve(cacheDir, 'nats')),
  );
}

function keep(unpacked: string, folder: string): string {
  const program = ['usr/sbin/nats-server', 'usr/bin/nats-server']
    .map((path) => join(unpacked, path))
    .find(existsSync);
  if (program === undefined) throw new Error('the package holds no nats-server');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nats-server');
  copyFileSync(program, `${file}.${process.pid}`);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
