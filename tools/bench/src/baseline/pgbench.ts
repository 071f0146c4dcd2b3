// Postgres' own limit: pgbench with the same SQL, many scripts that differ in whose rows they are about.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PgbenchRun {
  readonly databaseUrl: string;
  readonly clients: number;
  readonly seconds: number;
  /** At most 128 scripts. Each transaction runs a random one. */
  readonly scripts: readonly string[];
  /** Values of `:name` in the scripts: parameters of a prepared statement. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const DEBIAN = '/usr/lib/postgresql';

/** The program: on PATH, or in Debian's folder for it. Undefined if it is not installed. */
export function findPgbench(path: string): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().reverse() : [];
  const folders = [...path.split(':'), ...versions.map((version) => join(DEBIAN, version, 'bin'))];
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file));
}

/** Transactions a second. */
export async function runPgbench(pgbench: string, run: PgbenchRun): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'practice-pgbench-'));
  try {
    const files = run.scripts.map((script, index) => {
      const file = join(folder, `${index}.sql`);
      writeFileSync(file, script);
      return ['--file', file];
    });
    const { stdout } = await promisify(execFile)(pgbench, [...argumentsOf(run), ...files.flat()], {
      env: { PGOPTIONS: '-c plan_cache_mode=force_generic_plan', PGPASSWORD: passwordOf(run.databaseUrl) },
      signal: run.signal,
    });
    const found = /^tps = ([\d.]+)/m.exec(stdout);
    if (found === null) throw new Error(`pgbench printed no result: ${stdout.slice(-300)}`);
    return Number(found[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function argumentsOf({ databaseUrl, clients, seconds, variables }: PgbenchRun): string[] {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  return [
    ...['--host', hostname, '--port', port || '5432', '--username', decodeURIComponent(username)],
    ...['--no-vacuum', '--protocol', 'prepared', '--client', String(clients), '--time', String(seconds)],
    ...Object.entries(variables).flatMap(([name, value]) => ['--define', `${name}=${value}`]),
    pathname.slice(1),
  ];
}

const passwordOf = (databaseUrl: string): string => decodeURIComponent(new URL(databaseUrl).password);
