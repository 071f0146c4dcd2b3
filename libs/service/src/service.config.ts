import type { StreamKeeping } from '@practice/contracts';
import { processSettings, readTable, settings, type Environment, type LogLevel } from '@practice/settings';

/** The settings of a domain service's process. */
export interface ServiceConfig {
  /** Logs in as the service's request role, to which row-level security applies. */
  readonly databaseUrl: string;
  /** As `databaseUrl`, on a replica; empty without one. */
  readonly replicaUrl: string;
  /** Logs in as the service's relay role. */
  readonly relayDatabaseUrl: string;
  readonly natsUrl: string;
  /** Public keys that verify the identities of callers. */
  readonly statementKeys: readonly string[];
  /** Address of /livez and /readyz. */
  readonly host: string;
  readonly healthPort: number;
  /** Address of /metrics. */
  readonly metrics: { readonly host: string; readonly port: number };
  /** Collector of traces; empty without tracing. */
  readonly traceEndpoint: string;
  readonly logLevel: LogLevel;
  /** Postgres connections for reads, each with many queries on the wire. */
  readonly readConnections: number;
  /** The longest that a read may take in Postgres, in milliseconds. */
  readonly readStatementMs: number;
  /** The size of a practice's events from which on it may only delete, in bytes. */
  readonly quotaBytes: number;
  /** A folder on the disk of the database; empty if the process cannot see it. */
  readonly dataDisk: string;
  /** How a stream of events that the service has to make keeps its messages. */
  readonly streamKeeping: StreamKeeping;
  /** The space on that disk that callers leave free, in bytes. */
  readonly diskReserveBytes: number;
  /** Key-encryption keys for the keys of clients: see `keyEncryptionOf`. */
  readonly personalKeys: string;
  /** File with the erasures of the service: see `ErasureLedger`. */
  readonly erasuresFile: string;
  /** Postgres connections for writes, each with one transaction at a time. */
  readonly writeConnections: number;
}

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

/** @throws {SettingError} with one line for each variable that is missing or malformed */
export function readServiceConfig(environment: Environment = process.env): ServiceConfig {
  const values = readTable(table, environment);
  return {
    databaseUrl: values.DATABASE_URL,
    replicaUrl: values.DATABASE_REPLICA_URL,
    relayDatabaseUrl: values.RELAY_DATABASE_URL,
    natsUrl: values.NATS_URL,
    statementKeys: values.STATEMENT_PUBLIC_KEYS,
    host: values.HOST,
    healthPort: values.HEALTH_PORT,
    metrics: { host: values.METRICS_HOST, port: values.METRICS_PORT },
    logLevel: values.LOG_LEVEL,
    traceEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    readConnections: values.READ_CONNECTIONS,
    readStatementMs: values.READ_STATEMENT_MS,
    quotaBytes: values.STORAGE_QUOTA_MB * 1_000_000,
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
