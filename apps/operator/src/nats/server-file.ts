import { readFileSync } from 'node:fs';
import { writePrivately } from '../common/private-file.js';
import type { NatsUser } from './users.js';

/** A server of a cluster of NATS. */
export interface ClusterMember {
  /** The unique name of the member. */
  readonly name: string;
  /** The port for the other members. */
  readonly port: number;
  /** URLs at which the members reach each other. */
  readonly routes: readonly string[];
}

export interface ServerFile {
  readonly host: string;
  readonly port: number;
  readonly storeDir: string;
  readonly users: readonly NatsUser[];
  /** The address of /healthz. */
  readonly monitor?: string;
  /** Set if the server is a member of a cluster. */
  readonly member?: ClusterMember;
}

/**
 * 1 TiB. The server's default is 75 % of the space that is free when it starts: after a start with little free space, it would refuse
 * events until it stops. A full disk is a separate problem, with its own error (PM507).
 */
const MAX_FILE_STORE = 1024 ** 4;

/** The configuration of nats-server 2.9 and later. JSON, since the server's own format is a superset of it. */
export function serverFile({ host, port, storeDir, users, monitor, member }: ServerFile): string {
  return text({
    host,
    port,
    ...(monitor && { http: monitor }),
    server_name: member?.name ?? 'practice',
    ...(member && { cluster: { name: 'practice', host, port: member.port, routes: member.routes } }),
    max_payload: 8 * 1024 * 1024,
    max_pending: 64 * 1024 * 1024,
    write_deadline: '10s',
    jetstream: { store_dir: storeDir, max_file_store: MAX_FILE_STORE },
    ...authorization(users),
  });
}

/** Replaces the users in a configuration file. The server applies it on SIGHUP. */
export function replaceUsers(file: string, users: readonly NatsUser[]): void {
  const config = JSON.parse(readFileSync(file, 'utf8')) as object;
  writePrivately(file, text({ ...config, ...authorization(users) }));
}

/** On a busy machine, a process that starts may need more than the default of two seconds. */
const LOGGED_IN_WITHIN_SECONDS = 10;

const authorization = (users: readonly NatsUser[]): object => ({
  authorization: {
    timeout: LOGGED_IN_WITHIN_SECONDS,
    users: users.map(({ name, password, permissions }) => ({
      user: name,
      password,
      ...(permissions && {
        permissions: {
          publish: { allow: permissions.publish },
          subscribe: { allow: permissions.subscribe },
        },
      }),
    })),
  },
});

const text = (config: object): string => `${JSON.stringify(config, null, 2)}\n`;
