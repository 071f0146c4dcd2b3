// All settings that a domain service reads from its environment. They are checked once at startup.

import { processSettings, readTable, settings, type Environment } from '@practice/settings';

/** The settings of a domain service. libs/settings describes each variable. */
export type ServiceConfig = ReturnType<typeof readServiceConfig>;

const { DATABASE_URL, RELAY_DATABASE_URL, NATS_URL, HEALTH_PORT, READ_CONNECTIONS, WRITE_CONNECTIONS } =
  processSettings;
const {
  DATABASE_REPLICA_URL,
  DATA_DISK,
  PERSONAL_KEYS,
  ERASURES_FILE,
  STATEMENT_PUBLIC_KEYS,
  METRICS_HOST,
  METRICS_PORT,
} = processSettings;
const table = {
  ...settings,
  ...{ DATABASE_URL, DATABASE_REPLICA_URL, RELAY_DATABASE_URL, NATS_URL, HEALTH_PORT },
  ...{ PERSONAL_KEYS, ERASURES_FILE, STATEMENT_PUBLIC_KEYS, METRICS_HOST, METRICS_PORT },
  ...{ READ_CONNECTIONS, WRITE_CONNECTIONS, DATA_DISK },
};

/** Reads the settings of the process. @throws {SettingError} with one line for each variable that is missing or malformed */
export function readServiceConfig(environment: Environment = process.env) {
  const values = readTable(table, environment);
  return {
    databaseUrl: values.DATABASE_URL,
    /** Empty without a replica. */
    replicaUrl: values.DATABASE_REPLICA_URL,
    relayDatabaseUrl: values.RELAY_DATABASE_URL,
    natsUrl: values.NATS_URL,
    statementKeys: values.STATEMENT_PUBLIC_KEYS,
    host: values.HOST,
    healthPort: values.HEALTH_PORT,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
    logLevel: values.LOG_LEVEL,
    /** Empty without tracing. */
    traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    readConnections: values.READ_CONNECTIONS,
    serviceTimeoutMs: values.SERVICE_TIMEOUT_MS,
    readStatementMs: values.READ_STATEMENT_MS,
    quotaBytes: values.STORAGE_QUOTA_MB * 1_000_000,
    /** Empty if the process cannot see the disk of the database. */
    dataDisk: values.DATA_DISK,
    streamKeeping: {
      maxAgeDays: values.STREAM_MAX_AGE_DAYS,
      maxBytes: values.STREAM_MAX_MB * 1_000_000,
      replicas: values.STREAM_REPLICAS,
    },
    diskReserveBytes: values.DISK_RESERVE_MB * 1_000_000,
    writeConnections: values.WRITE_CONNECTIONS,
    personalKeys: values.PERSONAL_KEYS,
    erasuresFile: values.ERASURES_FILE,
  };
}
