// The built-in Postgres: starts on a free port of the loopback address, stops without losing a commit.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { machineEnvironment } from '../dev.config.js';
import { startReady, type Child } from '../processes/child.js';
import type { Cluster } from './cluster.js';

const READY_WITHIN = 60_000;
const STOPPED_WITHIN = 30_000;

export interface PostgresServer {
  readonly cluster: Cluster;
  readonly port: number;
  readonly logFile: string;
}

/** Settings that differ from Postgres' defaults. */
const settings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  max_wal_size: '2GB',
  // Files of the log are kept to be used again: making a new one holds up every commit for as long as 16 MiB take to be written.
  min_wal_size: '1GB',
  random_page_cost: '1.1',
  // Statements here take well under a millisecond: compiling them never pays.
  jit: 'off',
  synchronous_commit: 'on',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and their parameters hold people's data: they stay out of the log, failed ones too.
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

/**
 * Starts the server of a cluster that is not running.
 * @throws {Failure} with the end of its log if it does not start
 */
export function startPostgres({ cluster, port, logFile }: PostgresServer): Promise<Child> {
  rmSync(pidFile(cluster), { force: true });
  return startReady(
    {
      name: 'postgres',
      command: cluster.postgres,
      args: ['-D', cluster.folder, '-p', String(port), ...options()],
      env: { ...machineEnvironment(), LC_ALL: 'C', TZ: 'UTC', PGTZ: 'UTC' },
      logFile,
      account: cluster.account,
      orphaned: 'SIGINT',
    },
    { isReady: () => isReady(cluster), within: READY_WITHIN },
  );
}

/** Rolls back what is open, writes what is committed, ends. */
export function stopPostgres(child: Child): Promise<void> {
  return child.stop('SIGINT', STOPPED_WITHIN);
}

function options(): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function pidFile(cluster: Cluster): string {
  return join(cluster.folder, 'postmaster.pid');
}

/** Postgres itself writes its state on the eighth line of its pid file. */
function isReady(cluster: Cluster): boolean {
  const file = pidFile(cluster);
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready';
}
