// A member of a Patroni cluster: Patroni, and the Postgres that it starts.
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Child,
  freePort,
  machineEnvironment,
  postgresAccount,
  projectFolder,
  startChild,
} from '@practice/operator';
import { signalTree } from '@practice/start';
import type { Means } from '../../kit/means.js';

export interface MemberPlace {
  readonly name: string;
  /** The address of etcd. */
  readonly etcd: string;
  /** Paths: Patroni, and the folder of Postgres' programs. */
  readonly programs: Readonly<Record<'patroni' | 'postgres', string>>;
  readonly passwords: Readonly<Record<'superuser' | 'replication', string>>;
}

/** A member that has not been started. */
export async function memberAt({ folder }: Means, place: MemberPlace) {
  const own = join(folder, place.name);
  const account = postgresAccount(own);
  mkdirSync(own, { mode: 0o755 });
  if (account) chownSync(own, account.uid, account.gid);
  const [port, apiPort] = [await freePort(), await freePort()];
  let patroni: Child | undefined;
  const signalPostgres = (signal: NodeJS.Signals): void => {
    const pid = postmasterOf(join(own, 'data'));
    if (pid !== undefined) signalTree(pid, signal);
  };
  return {
    name: place.name,
    port,
    /** The port of Patroni's REST API. */
    apiPort,
    start: async (): Promise<void> => {
      patroni = await startChild({
        name: place.name,
        command: place.programs.patroni,
        account,
        orphaned: 'SIGTERM',
        args: [join(projectFolder, 'infra', 'patroni', 'patroni.yml')],
        env: { ...machineEnvironment(), HOME: own, ...settingsOf(place, { own, port, apiPort }) },
        logFile: join(folder, `${place.name}.log`),
      });
    },
    /** Ends Patroni and Postgres at once, as when their machine is gone. */
    kill: async (): Promise<void> => {
      const gone = patroni?.stop('SIGKILL', 1000);
      signalPostgres('SIGKILL');
      await gone;
    },
    /** Ends Postgres at once. Patroni keeps running. */
    crash: () => signalPostgres('SIGKILL'),
    /** Suspends Patroni and Postgres, as when their machine hangs. Their connections stay open. */
    freeze: () => {
      signalTree(patroni?.pid ?? 0, 'SIGSTOP');
      signalPostgres('SIGSTOP');
    },
  };
}

export type Member = Awaited<ReturnType<typeof memberAt>>;

/** The settings that differ between members; infra/patroni/patroni.yml has the rest. */
function settingsOf(
  { name, etcd, programs, passwords }: MemberPlace,
  { own, port, apiPort }: { own: string; port: number; apiPort: number },
): Record<string, string> {
  const [api, postgres] = [`127.0.0.1:${apiPort}`, `127.0.0.1:${port}`];
  return {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: etcd,
    PATRONI_RESTAPI_LISTEN: api,
    PATRONI_RESTAPI_CONNECT_ADDRESS: api,
    PATRONI_POSTGRESQL_LISTEN: postgres,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres,
    PATRONI_POSTGRESQL_DATA_DIR: join(own, 'data'),
    PATRONI_POSTGRESQL_BIN_DIR: programs.postgres,
    PATRONI_POSTGRESQL_PGPASS: join(own, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
  };
}

function postmasterOf(data: string): number | undefined {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}
