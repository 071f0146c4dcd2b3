// A streaming replica of a running server on this machine, for drills and specs: its files are copied while it is written to, and the
// write-ahead log comes from the running server.
import { chownSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Child,
  type Cluster,
  connect,
  CONTROL,
  emptyCluster,
  entriesOf,
  startPostgres,
  stopPostgres,
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

export interface Standby {
  /** URL of the superuser. */
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** Starts it again. */
  readonly start: () => Promise<void>;
  /** Stops its processes without ending them: its connections stay open without an answer. @returns lets them go on */
  readonly freeze: () => () => void;
}

/** Makes a replica and starts it. @throws {Failure} if it does not become ready */
export async function startStandby(place: StandbyPlace): Promise<Standby> {
  const { primaryUrl, dataDir, port } = place;
  await mkdir(dataDir, { recursive: true });
  const cluster = emptyCluster(dataDir);
  await copyCluster(place, cluster);
  const { hostname, port: primaryPort, username, password } = new URL(primaryUrl);
  const primary = {
    host: hostname,
    port: primaryPort,
    user: username,
    password: decodeURIComponent(password),
  };
  const extra = { primary_conninfo: conninfo(primary), wal_retrieve_retry_interval: '200ms' };
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

async function copyCluster({ primaryUrl, primaryFolder }: StandbyPlace, cluster: Cluster): Promise<void> {
  const { folder, account } = cluster;
  const own = (path: string): void => (account ? chownSync(path, account.uid, account.gid) : undefined);
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    own(join(folder, name));
  };
  const copy = async (name: string): Promise<void> => {
    try {
      await copyFile(join(primaryFolder, name), join(folder, name));
      own(join(folder, name));
    } catch (error) {
      // A file that is gone by now is in the log.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };
  const client = await connect(primaryUrl);
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    for await (const { name, isFolder } of entriesOf(primaryFolder, ''))
      if (!isFolder && name !== CONTROL) await copy(name);
      else if (isFolder) await mkdir(join(folder, name), { mode: 0o700 }).then(() => own(join(folder, name)));
    await copy(CONTROL);
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    );
    write('backup_label', rows[0]?.label ?? '');
    write('standby.signal', '');
  } finally {
    await client.end();
  }
}

const conninfo = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}='${value.replace(/['\\]/g, '\\$&')}'`)
    .join(' ');
