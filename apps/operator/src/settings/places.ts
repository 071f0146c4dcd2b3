// The places where containers run, and how containers find each other there.

export interface Place {
  /** Host and port of Postgres. */
  readonly postgres: string;
  /** Host and port of the PgBouncer for requests; empty without PgBouncer. */
  readonly pooler: string;
  /** Parameters of each URL of Postgres, from the question mark on. */
  readonly postgresParameters: string;
  /** Host names of the NATS servers. @param count servers that store each event */
  readonly natsHosts: (count: number) => readonly string[];
  /** Address on which a service answers health checks. */
  readonly healthHost: string;
  /** How long a gateway continues to serve after it is asked to stop. */
  readonly drainSeconds: number;
}

/** Folder with the certificate of CloudNativePG's authority, as a container sees it. */
export const POSTGRES_CA = '/run/postgres-ca';

export const places = {
  compose: {
    postgres: 'postgres:5432',
    pooler: '',
    postgresParameters: '',
    natsHosts: () => ['nats'],
    // The health check runs inside of the container.
    healthHost: '127.0.0.1',
    // More than two health checks of the proxy.
    drainSeconds: 3,
  },
  kubernetes: {
    // The name of the primary server, by CloudNativePG.
    postgres: 'postgres-rw:5432',
    pooler: 'pooler:5432',
    postgresParameters: `?sslmode=verify-full&sslrootcert=${POSTGRES_CA}/ca.crt`,
    natsHosts: (count) => Array.from({ length: count }, (_, index) => `nats-${index}.nats`),
    // The kubelet connects from outside of the container. A network policy blocks all other connections.
    healthHost: '0.0.0.0',
    // The time until every proxy of the cluster knows that the pod ends.
    drainSeconds: 10,
  },
} as const satisfies Readonly<Record<string, Place>>;

export type PlaceName = keyof typeof places;
