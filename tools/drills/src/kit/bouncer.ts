import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, freePort, isReachable, postgresAccount } from '@practice/operator';
import { kill, startProgram } from '@practice/chaos';
import type { Drilling } from './drill.js';

export interface BouncerPlace {
  /** The path of PgBouncer. */
  readonly program: string;
  /** URL of a superuser, and of the database. */
  readonly url: string;
  /** The number of its connections to Postgres for each role. */
  readonly poolSize: number;
}

/** Starts PgBouncer. It asks Postgres for the password of each user who logs in, so its own file has only the one that it asks with. */
export async function startBouncer(drilling: Drilling, place: BouncerPlace) {
  const port = await freePort();
  const own = join(drilling.folder, 'pgbouncer');
  const account = postgresAccount(own);
  const { username, password } = new URL(place.url);
  mkdirSync(own, { mode: 0o755 });
  const [users, config] = [join(own, 'users.txt'), join(own, 'pgbouncer.ini')];
  writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o600 });
  writeFileSync(config, settingsOf(place, { port, users }));
  if (account) for (const path of [own, users, config]) chownSync(path, account.uid, account.gid);
  const start = (): Promise<Child> =>
    startProgram(drilling, {
      name: 'pgbouncer',
      command: place.program,
      args: ['--quiet', config],
      account,
      isReady: () => isReachable(port),
    });
  let child = await start();
  return {
    url: Object.assign(new URL(place.url), { port: String(port) }).href,
    /** Ends it at once, and starts it again. */
    restart: async (): Promise<void> => {
      await kill(child);
      child = await start();
    },
  };
}

function settingsOf({ url, poolSize }: BouncerPlace, own: { port: number; users: string }): string {
  const { hostname, port, pathname, username } = new URL(url);
  return `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} auth_user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own.port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${own.users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
max_prepared_statements = 200
`;
}
