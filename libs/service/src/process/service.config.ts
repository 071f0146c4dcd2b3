import { processSettings, readTable, settings } from '@practice/settings';
import type { Environment, LogLevel } from '@practice/settings';

/** The settings of a domain service's process. */
export interface ServiceConfig {
  /** Logs in as the service's request role, to which row-level security applies. */
  readonly databaseUrl: string;
  /** Logs in as the service's relay role. */
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
  /** Address of /livez and /readyz. */
  readonly host: string;
  readonly healthPort: number;
  readonly logLevel: LogLevel;
  /** Postgres connections for reads, each with many queries on the wire. */
  readonly readConnections: number;
  /** Postgres connections for writes, each with one transaction at a time. */
  readonly writeConnections: number;
}

const { DATABASE_URL, RELAY_DATABASE_URL, NATS_URL, HEALTH_PORT, READ_CONNECTIONS, WRITE_CONNECTIONS } =
  processSettings;
const { HOST, LOG_LEVEL } = settings;
const table = {
  ...{ DATABASE_URL, RELAY_DATABASE_URL, NATS_URL, HEALTH_PORT },
  ...{ READ_CONNECTIONS, WRITE_CONNECTIONS, HOST, LOG_LEVEL },
};

/** @throws {SettingError} with one line for each variable that is missing or malformed */
export function readServiceConfig(environment: Environment = process.env): ServiceConfig {
  const values = readTable(table, environment);
  return {
    databaseUrl: values.DATABASE_URL,
    relayDatabaseUrl: values.RELAY_DATABASE_URL,
    natsUrl: values.NATS_URL,
    host: values.HOST,
    healthPort: values.HEALTH_PORT,
    logLevel: values.LOG_LEVEL,
    readConnections: values.READ_CONNECTIONS,
    writeConnections: values.WRITE_CONNECTIONS,
  };
}

/** For programs that change a service's schema: logs in as its owner. */
export const readOwnerUrl = (environment: Environment = process.env): string =>
  readTable({ DATABASE_URL }, environment).DATABASE_URL;

/** For programs that read a service's events: logs in to NATS as the service. */
export const readNatsUrl = (environment: Environment = process.env): string =>
  readTable({ NATS_URL }, environment).NATS_URL;

/** For programs that publish a service's log: the relay role, and NATS. */
export function readRelaySettings(environment: Environment = process.env): {
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
} {
  const values = readTable({ RELAY_DATABASE_URL, NATS_URL }, environment);
  return { relayDatabaseUrl: values.RELAY_DATABASE_URL, natsUrl: values.NATS_URL };
}
