// DATA_DIR/run.json: scripts find the running system with it. The file exists while the system runs, and remains after a crash.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  isClaimed,
  openSecrets,
  rolesOf,
  storedServices,
  withCredentials,
  writePrivately,
} from '@practice/operator';

export interface RunFile {
  /** The first argument of supabase-js' `createClient(base_url, apikey)`; resources are below `${base_url}/rest/v1/`. */
  readonly base_url: string;
  readonly apikey: string;
  /** With the credentials of the user who may do everything. */
  readonly nats_url: string;
  /** With the credentials of the user who may do everything. */
  readonly database_url: string;
  /** The URLs by the name of the service, since a service may have a server of its own. */
  readonly database_urls: Readonly<Record<string, string>>;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
}

/** Writes the file, readable only by its owner: it contains credentials. */
export function writeRunFile(dataDir: string, content: RunFile): void {
  writePrivately(join(dataDir, 'run.json'), `${JSON.stringify(content, null, 2)}\n`);
}

function readRunFile(dataDir: string): RunFile | undefined {
  const file = join(dataDir, 'run.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunFile) : undefined;
}

/** Deletes the file. */
export function removeRunFile(dataDir: string): void {
  rmSync(join(dataDir, 'run.json'), { force: true });
}

/** The servers of a system that runs on this data folder, as its services log in to them; `undefined` if none runs. */
export function runningServers(dataDir: string) {
  const run = readRunFile(dataDir);
  if (!run?.processes.some(({ pid }) => isClaimed(dataDir, pid))) return undefined;
  const { database_url, database_urls, nats_url, processes } = run;
  const secrets = openSecrets(dataDir);
  const isOurs = processes.some(({ name }) => name === 'nats-server');
  return {
    adminDatabaseUrl: database_url,
    databaseUrl: (role: string) =>
      withCredentials(database_urls[serviceWith(role)] ?? '', role, secrets.existing(`postgres_${role}`)),
    natsUrl: (user: string) =>
      isOurs ? withCredentials(nats_url, user, secrets.existing(`nats_${user}`)) : nats_url,
  };
}

const serviceWith = (role: string): string =>
  storedServices.find((service) => Object.values(rolesOf(service)).includes(role))?.name ?? '';

/** The id of a running process of the system, by its name; undefined if it does not run. */
export function runningProcess(dataDir: string, name: string): number | undefined {
  const pid = readRunFile(dataDir)?.processes.find((one) => one.name === name)?.pid;
  return pid !== undefined && isClaimed(dataDir, pid) ? pid : undefined;
}
