// DATA_DIR/run.json: scripts find the running system with it. The file exists while the system runs, and remains after a crash.
import { isClaimed, jsonFile, storedServices } from '@practice/operator';
import { urlsIn } from './coordinates.js';

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

export const runFile = jsonFile<RunFile>('run.json');

/** The servers of a system that runs on this data folder, as its services log in to them; `undefined` if none runs. */
export function runningServers(dataDir: string) {
  const run = runFile.read(dataDir);
  if (!run?.processes.some(({ pid }) => isClaimed(dataDir, pid))) return undefined;
  const { database_url, database_urls, nats_url, processes } = run;
  const isOwnNats = processes.some(({ name }) => name === 'nats-server');
  const databases = storedServices.map((service) => ({
    ...{ adminUrl: database_urls[service.name] ?? '', poolUrl: '' },
    ...{ services: [service], isOurs: false },
  }));
  return {
    adminDatabaseUrl: database_url,
    ...urlsIn(dataDir, { databases, natsUrl: nats_url, isOwnNats }),
  };
}

/** The id of a running process of the system, by its name; undefined if it does not run. */
export function runningProcess(dataDir: string, name: string): number | undefined {
  const pid = runFile.read(dataDir)?.processes.find((one) => one.name === name)?.pid;
  return pid !== undefined && isClaimed(dataDir, pid) ? pid : undefined;
}
