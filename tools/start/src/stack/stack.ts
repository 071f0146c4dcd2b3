// The whole product on one machine: Postgres, NATS, every service and the gateway, under this process.
import { join, resolve } from 'node:path';
import { messageOf, type DiskSpace } from '@practice/process';
import {
  ADMIN,
  claim,
  forgetRestore,
  freePort,
  keyFilesIn,
  keysFolderOf,
  makeDataFolder,
  migrateAll,
  noteMigrations,
  openSecrets,
  readRestore,
  readSettings,
  reconcileAll,
  requireFreePort,
  requireWhole,
  type Secrets,
  type ServerUrls,
  services,
  type Settings,
  type Stages,
  stagesShownBy,
  statementKeysOf,
  urlsByService,
  writeKeyFiles,
} from '@practice/operator';
import { joinStack, LIVE_HOST, placeOf, type Coordinates, type JoinedStack } from './coordinates.js';
import { keepSpace, reserveOf } from './data-disk.js';
import { startInfra, type Infra } from '../servers/infra.js';
import { countProcesses, serveSupervisorMetrics, type SupervisorMetrics } from '../monitoring/supervisor.js';
import { removeTargets, writeTargets } from '../monitoring/targets.js';
import { startApps, type Apps } from '../processes/apps.js';
import { tailLogs } from '../processes/log-tail.js';
import { emptyProcessTable, type ProcessTable } from '../processes/process-table.js';
import { runFile } from './run-file.js';

export interface StackOptions {
  /** Settings that differ from the environment. PORT 0 picks a free one. */
  readonly settings?: Partial<Settings>;
  /** Receives a line for each stage, and for each message to the operator. Without it, nothing is shown. */
  readonly print?: (line: string) => void;
  /** If it is aborted during the start, the stack stops at the next step, and `startStack` rejects. */
  readonly signal?: AbortSignal;
  /** Start only Postgres and NATS, and migrate. */
  readonly onlyServers?: boolean;
  /** Gives the services other URLs for Postgres and NATS, such as the URLs of wires that can be cut. */
  readonly route?: (servers: ServerUrls) => Promise<ServerUrls>;
}

export interface Stack extends JoinedStack {
  /** The same as plain data, for `joinStack` in another process. */
  readonly coordinates: Coordinates;
  /** The processes that run now: Postgres and NATS if they are built in, the services, the gateway. */
  readonly processes: () => { readonly name: string; readonly pid: number }[];
  /** Lets requests in flight finish, then ends everything in order. A second call waits for the same stop. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts everything and waits until it answers.
 * @throws {Failure} when something cannot start; nothing is left running then
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const settings = settingsOf(options);
  if (settings.PORT !== 0 && !options.onlyServers) await requireFreePort(settings.HOST, settings.PORT);
  makeDataFolder(settings.DATA_DIR);
  requireWhole(settings.DATA_DIR);
  const claimed = await claim(settings.DATA_DIR);
  const running: Running = { infra: undefined, apps: undefined, metrics: undefined, ready: undefined };
  const stages = stagesShownBy(options.print);
  const disk = await keepSpace(settings, { logDir: logDirOf(settings), say: stages.say });
  const count = countProcesses();
  const processTable = emptyProcessTable((changed) => {
    count(changed);
    try {
      claimed.note(changed.map(({ pid }) => pid));
      writeWhenReady(running, settings.DATA_DIR);
    } catch (error) {
      // On a full disk, programs still have to be started again and stopped.
      stages.say(`The processes that run now could not be written to DATA_DIR: ${messageOf(error)}`);
    }
  });
  const stopAll = async (): Promise<void> => {
    running.ready = undefined;
    runFile.remove(settings.DATA_DIR);
    removeTargets(settings.DATA_DIR);
    await running.metrics?.stop();
    await running.apps?.stop();
    await running.infra?.stop();
    disk.stop();
    claimed.release();
  };
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= stopAll());
  try {
    running.ready = await bringUp({ settings, stages, processTable, disk, running, stop, options });
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
  metrics: SupervisorMetrics | undefined;
  ready: Stack | undefined;
}

interface BringUp {
  readonly settings: Settings;
  readonly stages: Stages;
  readonly processTable: ProcessTable;
  readonly disk: DiskSpace;
  readonly running: Running;
  readonly stop: () => Promise<void>;
  readonly options: StackOptions;
}

async function bringUp(parts: BringUp): Promise<Stack> {
  const { settings, stages, processTable, disk, running, stop, options } = parts;
  const secrets = openSecrets(settings.DATA_DIR);
  writeKeyFiles({ secrets, settings }, keyFilesIn(keysFolderOf(settings.DATA_DIR)));
  secrets.save();
  const logDir = logDirOf(settings);
  const infra = await startInfra({ settings, secrets, stages, logDir, processTable, disk });
  running.infra = infra;
  options.signal?.throwIfAborted();
  await migrate(infra, stages);
  if (settings.DATABASE_URL === '') noteMigrations(settings.DATA_DIR);
  await reconcileAll(infra, stages, { everywhere: readRestore(settings.DATA_DIR) === 'restored' });
  forgetRestore(settings.DATA_DIR);
  options.signal?.throwIfAborted();
  const port = settings.PORT || (await freePort());
  const liveUrls = await liveUrlsOf(options.onlyServers ? 0 : settings.LIVE_PROCESSES);
  const coordinates = { ...coordinatesOf(settings, port, { infra, secrets }), liveUrls };
  const everything = ['debug', 'trace'].includes(settings.LOG_LEVEL);
  const apps = await startApps(options.onlyServers ? [] : services, {
    ...placeOf(coordinates),
    infra: (await options.route?.(infra)) ?? infra,
    ...{ port, stages, processTable },
    logTail: tailLogs({ everything, say: stages.say }),
  });
  running.apps = apps;
  if (!options.onlyServers) await publishMetrics(running, apps, { settings, infra });
  return {
    ...joinStack(coordinates),
    spawnProcess: apps.spawn,
    coordinates,
    processes: processTable.all,
    stop,
  };
}

async function liveUrlsOf(count: number): Promise<string[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  return ports.map((port) => `http://${LIVE_HOST}:${port}`);
}

const migrate = (infra: Infra, stages: Stages): Promise<unknown> =>
  stages.run(
    'Migrations',
    () => migrateAll(infra),
    (done) => done.join(', ') || 'up to date',
  );

function coordinatesOf(
  settings: Settings,
  port: number,
  { infra, secrets }: { infra: Infra; secrets: Secrets },
): Omit<Coordinates, 'liveUrls'> {
  const origin = originOf(settings.HOST, port);
  const apikey = settings.ANON_KEY || secrets.get('anon_key');
  // Makes the keys of a new data folder.
  statementKeysOf(secrets);
  secrets.save();
  const baseUrl = settings.BASE_URL || origin;
  const { adminDatabaseUrl, databases } = infra;
  return { settings, origin, baseUrl, apikey, adminDatabaseUrl, databases, natsUrl: infra.natsUrl(ADMIN) };
}

async function publishMetrics(
  running: Running,
  { targets }: Apps,
  { settings, infra }: { settings: Settings; infra: Infra },
): Promise<void> {
  const dataDir = settings.DATA_DIR;
  running.metrics = await serveSupervisorMetrics({
    dataDir,
    reserveBytes: reserveOf(settings),
    archiver: infra.archiver,
  });
  writeTargets(dataDir, [...targets, running.metrics.target]);
}

const logDirOf = ({ DATA_DIR }: Settings): string => join(DATA_DIR, 'logs');

function writeWhenReady({ ready, infra }: Running, dataDir: string): void {
  if (!ready || !infra) return;
  runFile.write(dataDir, {
    base_url: ready.baseUrl,
    apikey: ready.apikey,
    nats_url: ready.natsUrl(ADMIN),
    database_url: ready.adminDatabaseUrl,
    database_urls: urlsByService(infra.databases),
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
