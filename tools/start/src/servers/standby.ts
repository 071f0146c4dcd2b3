// A streaming replica of a running server on this machine, for drills and specs: the files of that server are copied while it is written to,
// and the write-ahead log comes from it.
import { chownSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Child,
  type Cluster,
  emptyCluster,
  run,
  startPostgres,
  stopPostgres,
  withClient,
} from '@practice/operator';
import { signalTree } from '../processes/tree.js';

export interface StandbyPlace {
  /** URL of the superuser of the running server. */
  readonly primaryUrl: string;
  /** Folder of its cluster. */
  readonly primaryFolder: string;
  /** Folder for the cluster of the replica, and for its log. */
  readonly dataDir: string;
  readonly port: number;
}

/** Makes a replica and starts it. @practice/testing describes what specs do with it. @throws {Failure} if it does not become ready */
export async function startStandby(place: StandbyPlace) {
  const { primaryUrl, dataDir, port } = place;
  await mkdir(dataDir, { recursive: true });
  const cluster = emptyCluster(dataDir);
  await copyCluster(place, cluster);
  const extra = { primary_conninfo: primaryUrl, wal_retrieve_retry_interval: '200ms' };
  const logFile = join(dataDir, 'postgres.log');
  const start = (): Promise<Child> => startPostgres({ cluster, port, logFile, isFirst: true, extra });
  let child = await start();
  return {
    url: Object.assign(new URL(primaryUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    stop: () => stopPostgres(child),
    start: async () => {
      child = await start();
    },
    freeze: () => signalTree(child.pid, 'SIGSTOP'),
  };
}

/** Copies the files, which may change or disappear meanwhile: the log has all changes until the end of the backup. */
const copyCluster = (
  { primaryUrl, primaryFolder }: StandbyPlace,
  { folder, account }: Cluster,
): Promise<void> =>
  withClient(primaryUrl, async (client) => {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    const copy = `tar -C "$0" --exclude=./pg_wal/* --exclude=./postmaster.* -cf - . | tar -C "$1" -xpf -`;
    await run('/bin/sh', ['-c', copy, primaryFolder, folder]);
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    );
    for (const [name, text] of [
      ['backup_label', rows[0]?.label ?? ''],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      if (account) chownSync(join(folder, name), account.uid, account.gid);
    }
  });
