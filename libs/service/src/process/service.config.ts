import { logLevels, settings } from './environment.js';
import type { Environment, LogLevel } from './environment.js';

/** What a domain service's process is told at start. */
export interface ServiceConfig {
  /** Logs in as the service's request role, to which row-level security applies. */
  readonly databaseUrl: string;
  /** Logs in as the service's relay role. */
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
  /** Where /livez and /readyz are served. */
  readonly host: string;
  readonly healthPort: number;
  readonly logLevel: LogLevel;
  /** Postgres connections for reads, each with many queries on the wire. */
  readonly readConnections: number;
  /** Postgres connections for writes, each with one transaction at a time. */
  readonly writeConnections: number;
}

/** @throws {SettingError} naming the first variable that is missing or malformed */
export function readServiceConfig(environment: Environment = process.env): ServiceConfig {
  const from = settings(environment);
  return {
    databaseUrl: from.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    relayDatabaseUrl: from.url('RELAY_DATABASE_URL', ['postgres:', 'postgresql:']),
    natsUrl: from.url('NATS_URL', ['nats:', 'tls:']),
    host: from.text('HOST', '127.0.0.1'),
    healthPort: from.integer('HEALTH_PORT', { fallback: 0, min: 0, max: 65_535 }),
    logLevel: from.oneOf('LOG_LEVEL', logLevels, 'info'),
    readConnections: from.integer('READ_CONNECTIONS', { fallback: 2, min: 1, max: 50 }),
    writeConnections: from.integer('WRITE_CONNECTIONS', { fallback: 8, min: 1, max: 100 }),
  };
}

/** What the migrating process of a service is told: where to log in as the schema's owner. */
export const readOwnerUrl = (environment: Environment = process.env): string =>
  settings(environment).url('DATABASE_URL', ['postgres:', 'postgresql:']);

/** What the rebuilding process of a service is told: the bus, as the service's own user. */
export const readNatsUrl = (environment: Environment = process.env): string =>
  settings(environment).url('NATS_URL', ['nats:', 'tls:']);

/** What a process is told that publishes a service's log: where to log in as its relay, and the bus. */
export function readRelaySettings(environment: Environment = process.env): {
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
} {
  const from = settings(environment);
  return {
    relayDatabaseUrl: from.url('RELAY_DATABASE_URL', ['postgres:', 'postgresql:']),
    natsUrl: from.url('NATS_URL', ['nats:', 'tls:']),
  };
}
