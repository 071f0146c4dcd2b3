// A database cluster on disk: made once, owned by the user that Postgres runs as.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { machineEnvironment } from '../settings/operator.config.js';
import type { Account } from '../processes/child.js';
import { run } from '../processes/run.js';
import { barrier, postgresAccount } from './account.js';
import { PLACE_FOR_OTHERS, postgresBinaries, type PostgresBinaries } from './binaries.js';

export interface Cluster extends PostgresBinaries {
  /** Folder of the cluster (PGDATA in Postgres). */
  readonly folder: string;
  readonly account: Account | undefined;
  /** Whether this call created the cluster. */
  readonly isNew: boolean;
}

/**
 * The cluster of a data folder. Creates it if it does not exist.
 * @param password of the superuser `postgres`, for a new cluster
 * @throws {Failure} when it cannot be made or belongs to another user
 */
export async function openCluster(dataDir: string, password: () => string): Promise<Cluster> {
  const folder = resolve(dataDir, 'postgres');
  const account = postgresAccount(folder);
  const binaries = postgresBinaries(account);
  const isNew = !existsSync(join(folder, 'PG_VERSION'));
  if (isNew) {
    makeFolder(folder, account);
    await initialise({ ...binaries, folder: realpathSync(folder), account, isNew }, password());
  }
  // The target of a link: the link itself may be in a folder that only root can enter.
  return { ...binaries, folder: realpathSync(folder), account, isNew };
}

/**
 * Makes an empty folder of a cluster, for the files of a backup. An existing cluster must have been moved aside.
 * @throws {Failure} when it belongs to another user
 */
export function emptyCluster(dataDir: string): Cluster {
  const folder = resolve(dataDir, 'postgres');
  const account = postgresAccount(folder);
  makeFolder(folder, account);
  return { ...postgresBinaries(account), folder: realpathSync(folder), account, isNew: true };
}

/** Deletes a file or folder of a data folder, and the target of a link: the cluster may be outside of the data folder. */
export function removeData(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && existsSync(path)) rmSync(realpathSync(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
}

function makeFolder(folder: string, account: Account | undefined): void {
  // A link whose target was deleted.
  if (!existsSync(folder)) rmSync(folder, { force: true });
  if (account) openTheWay(folder, account);
  // A folder without PG_VERSION is left over from an interrupted start: it contains no data.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true });
  if (account) chownSync(folder, account.uid, account.gid);
}

/** Lets `account` reach the cluster: through the data folder, or in a folder outside if a folder above it is closed. */
function openTheWay(folder: string, account: Account): void {
  const dataDir = resolve(folder, '..');
  const closed = barrier(folder, account);
  if (closed === undefined || lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  if (closed === dataDir) chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  if (barrier(folder, account) === undefined) return;
  const outside = join(PLACE_FOR_OTHERS, `data-${randomUUID()}`);
  mkdirSync(PLACE_FOR_OTHERS, { recursive: true, mode: 0o755 });
  mkdirSync(outside, { mode: 0o700 });
  rmSync(folder, { recursive: true, force: true });
  symlinkSync(outside, folder);
}

async function initialise({ initdb, folder, account }: Cluster, password: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'practice-initdb-'));
  const passwordFile = join(scratch, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) [scratch, passwordFile].forEach((path) => chownSync(path, account.uid, account.gid));
  const options = [
    ...['--pgdata', folder, '--username=postgres', '--data-checksums'],
    ...[`--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    // Byte order is the same on every machine; case folding still knows all of Unicode.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ];
  try {
    await run(initdb, options, {
      env: { ...machineEnvironment(), LC_ALL: 'C', TZ: 'UTC' },
      cwd: scratch,
      ...(account && { uid: account.uid, gid: account.gid }),
      problem: `Postgres could not make its data folder ${folder}`,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
