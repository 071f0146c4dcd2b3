// The built-in Postgres. It starts on a free port of the loopback address, and stops without losing a commit.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { machineEnvironment } from '../settings/operator.config.js';
import { startReady, type Child } from '../processes/child.js';
import { tailOf } from '../processes/log-file.js';
import { postgresMemory } from '../processes/memory.js';
import type { Cluster } from './cluster.js';

/** Milliseconds without a new log line about recovery. The checkpoint at the end of a recovery logs no line while it is written. */
const READY_WITHIN = 300_000;
const STOPPED_WITHIN = 30_000;

export interface PostgresServer {
  readonly cluster: Cluster;
  readonly port: number;
  readonly logFile: string;
  /** Whether this is the first start since the data folder was claimed. No process of an earlier run is left then. */
  readonly isFirst: boolean;
  /** Settings for this start only. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Milliseconds until it is ready. */
  readonly within?: number;
}

/** Settings that differ from Postgres' defaults. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  max_wal_size: '2GB',
  // Files of the log are kept and reused: creating a file delays every commit until 16 MiB are written.
  min_wal_size: '1GB',
  random_page_cost: '1.1',
  // Statements here take well under a millisecond, so compiling them never pays off.
  jit: 'off',
  // A plan for an empty table improves only after the table is analyzed. The default is a minute.
  autovacuum_naptime: '15s',
  synchronous_commit: 'on',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Parameters contain personal data, so neither they nor failed statements are logged. A slow statement is logged without its values.
  log_statement: 'none',
  log_min_duration_statement: '500',
  log_min_error_statement: 'panic',
  // Details and contexts of an error contain rows.
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/**
 * Starts the server of a cluster that is not running.
 * @throws {Failure} with the end of its log if it does not start
 */
export function startPostgres({
  cluster,
  port,
  logFile,
  isFirst,
  extra = {},
  within = READY_WITHIN,
}: PostgresServer): Promise<Child> {
  // At a later start, Postgres uses the file to find out whether processes of the previous server still use the data.
  if (isFirst) rmSync(pidFile(cluster), { force: true });
  return startReady(
    {
      name: 'postgres',
      command: cluster.postgres,
      args: [
        '-D',
        cluster.folder,
        '-p',
        String(port),
        ...optionsOf({ ...settings, ...statistics(cluster), ...extra }),
      ],
      env: { ...machineEnvironment(), ...postgresMemory, LC_ALL: 'C', TZ: 'UTC', PGTZ: 'UTC' },
      logFile,
      account: cluster.account,
      orphaned: 'SIGINT',
    },
    {
      isReady: ({ pid }) => isReady(cluster, pid),
      within,
      progress: () => recoveryIn(tailOf(logFile)),
    },
  );
}

/** Stops the server: it rolls back open transactions, writes committed ones to disk, and ends. */
export function stopPostgres(child: Child): Promise<void> {
  return child.stop('SIGINT', STOPPED_WITHIN);
}

/** Settings for statistics of statements, if the build of Postgres has the library. Postgres does not start if the library is missing. */
function statistics({ postgres }: Cluster): Readonly<Record<string, string>> {
  const native = join(dirname(postgres), '..');
  const folders = [join(native, 'lib', 'postgresql'), join(native, 'lib')];
  const isThere = folders.some((folder) =>
    ['so', 'dylib'].some((end) => existsSync(join(folder, `pg_stat_statements.${end}`))),
  );
  if (!isThere) return {};
  return { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_utility': 'off' };
}

function optionsOf(all: Readonly<Record<string, string>>): string[] {
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function pidFile(cluster: Cluster): string {
  return join(cluster.folder, 'postmaster.pid');
}

/** Postgres writes its process id on the first line of its pid file, and its state on the eighth. */
function isReady(cluster: Cluster, pid: number): boolean {
  const file = pidFile(cluster);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

/** The last line about a recovery: every 10 s, Postgres logs how far it is (`log_startup_progress_interval`). */
const recoveryIn = (log: string): string | undefined =>
  log
    .split('\n')
    .filter((line) => /elapsed time|redo |recovery|checkpoint/.test(line))
    .at(-1);
