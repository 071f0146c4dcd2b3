// The whole product on one machine: Postgres, NATS, every service and the gateway, under this process.
import { join, resolve } from 'node:path';
import { joinStack, urlsOf, type Coordinates, type JoinedStack } from './coordinates.js';
import { makeDataFolder } from './data-folder.js';
import { readSettings, type Settings } from './dev.config.js';
import { startInfra, type Infra } from './infra.js';
import { migrateAll } from './migrate.js';
import { ADMIN } from './nats/users.js';
import { freePort, requireFreePort } from './ports.js';
import { startApps, type Apps } from './processes/apps.js';
import { claim } from './processes/claim.js';
import { tailLogs } from './processes/log-tail.js';
import { emptyProcessTable, type ProcessTable } from './processes/process-table.js';
import { removeRunFile, writeRunFile } from './run-file.js';
import { keyEncryptionKeyOf, openSecrets, type Secrets } from './secrets.js';
import { services } from './services.js';
import { stagesShownBy, type Stages } from './stages.js';

export interface StackOptions {
  /** Settings that differ from the environment. PORT 0 picks a free one. */
  readonly settings?: Partial<Settings>;
  /** Receives a line for each stage, and one for whatever a person should know; nothing is shown without it. */
  readonly print?: (line: string) => void;
  /** Aborted while it starts: it stops at the next step, and `startStack` rejects. */
  readonly signal?: AbortSignal;
  /** Start only Postgres and NATS, and migrate. */
  readonly onlyServers?: boolean;
}

export interface Stack extends JoinedStack {
  /** The same as plain data, for `joinStack` in another process. */
  readonly coordinates: Coordinates;
  /** Who runs now: Postgres and NATS where they are built in, the services, the gateway. */
  readonly processes: () => { readonly name: string; readonly pid: number }[];
  /** Lets requests under way finish, then ends everything in order. May be called again: there is one stop. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts everything and waits until it answers.
 * @throws {Failure} when something cannot start; nothing is left running then
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const settings = settingsOf(options);
  if (settings.PORT !== 0) await requireFreePort(settings.HOST, settings.PORT);
  makeDataFolder(settings.DATA_DIR);
  const claimed = await claim(settings.DATA_DIR);
  const running: Running = { infra: undefined, apps: undefined, ready: undefined };
  const processTable = emptyProcessTable((changed) => {
    claimed.note(changed.all().map(({ pid }) => pid));
    writeWhenReady(running, settings.DATA_DIR);
  });
  const stop = once(async () => {
    running.ready = undefined;
    removeRunFile(settings.DATA_DIR);
    await running.apps?.stop();
    await running.infra?.stop();
    claimed.release();
  });
  try {
    running.ready = await bringUp({
      settings,
      stages: stagesShownBy(options.print),
      processTable,
      running,
      stop,
      options,
    });
    writeWhenReady(running, settings.DATA_DIR);
    return running.ready;
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Running {
  infra: Infra | undefined;
  apps: Apps | undefined;
  ready: Stack | undefined;
}

interface BringUp {
  readonly settings: Settings;
  readonly stages: Stages;
  readonly processTable: ProcessTable;
  readonly running: Running;
  readonly stop: () => Promise<void>;
  readonly options: StackOptions;
}

async function bringUp({ settings, stages, processTable, running, stop, options }: BringUp): Promise<Stack> {
  const secrets = openSecrets(settings.DATA_DIR);
  const logDir = join(settings.DATA_DIR, 'logs');
  const infra = await startInfra({ settings, secrets, stages, logDir, processTable });
  running.infra = infra;
  options.signal?.throwIfAborted();
  await stages.run(
    'Migrations',
    () => migrateAll(infra),
    (done) => done.join(', ') || 'up to date',
  );
  options.signal?.throwIfAborted();
  const port = settings.PORT || (await freePort());
  const coordinates = coordinatesOf(settings, port, { infra, secrets });
  const logTail = tailLogs({ everything: ['debug', 'trace'].includes(settings.LOG_LEVEL), say: stages.say });
  const apps = await startApps(options.onlyServers ? [] : services, {
    ...coordinates,
    infra,
    port,
    logDir,
    stages,
    processTable,
    logTail,
  });
  running.apps = apps;
  return {
    ...joinStack(coordinates),
    spawnProcess: apps.spawn,
    coordinates,
    processes: processTable.all,
    stop,
  };
}

function coordinatesOf(
  settings: Settings,
  port: number,
  { infra, secrets }: { infra: Infra; secrets: Secrets },
): Coordinates {
  const origin = originOf(settings.HOST, port);
  const apikey = settings.ANON_KEY || secrets.get('anon_key');
  const keyEncryptionKey = keyEncryptionKeyOf(settings, secrets);
  secrets.save();
  const baseUrl = settings.BASE_URL || origin;
  return { settings, origin, baseUrl, apikey, keyEncryptionKey, ...urlsOf(infra) };
}

function writeWhenReady({ ready }: Running, dataDir: string): void {
  if (!ready) return;
  writeRunFile(dataDir, {
    base_url: ready.baseUrl,
    apikey: ready.apikey,
    nats_url: ready.natsUrl(ADMIN),
    database_url: ready.adminDatabaseUrl,
    processes: ready.processes(),
  });
}

function settingsOf({ settings: given }: StackOptions): Settings {
  const settings = { ...readSettings(), ...given };
  return { ...settings, DATA_DIR: resolve(settings.DATA_DIR), CACHE_DIR: resolve(settings.CACHE_DIR) };
}

function originOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
