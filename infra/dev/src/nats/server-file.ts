import type { Permissions } from './permissions.js';

export interface NatsUser {
  readonly name: string;
  readonly password: string;
  /** Absent for a user who may do everything. */
  readonly permissions?: Permissions;
}

export interface ServerFile {
  readonly host: string;
  readonly port: number;
  readonly storeDir: string;
  readonly users: readonly NatsUser[];
  /** Where it answers /healthz, if it shall. */
  readonly monitor?: string;
}

/** The configuration file of nats-server, in the words that 2.9 and later understand. */
export function serverFile({ host, port, storeDir, users, monitor }: ServerFile): string {
  const accounts = users.map(({ name, password, permissions }) => ({
    user: name,
    password,
    ...(permissions && {
      permissions: {
        publish: { allow: permissions.publish, deny: permissions.neverPublish },
        subscribe: { allow: permissions.subscribe },
      },
    }),
  }));
  // nats-server reads JSON: its own format is a superset.
  return `${JSON.stringify(
    {
      host,
      port,
      ...(monitor && { http: monitor }),
      server_name: 'practice',
      max_payload: 8 * 1024 * 1024,
      max_pending: 64 * 1024 * 1024,
      write_deadline: '10s',
      jetstream: { store_dir: storeDir },
      authorization: { users: accounts },
    },
    null,
    2,
  )}\n`;
}
