// Backups of the Postgres of docker-compose.yml. The container `backup` has the volumes of Postgres, of the secrets and of the
// ledgers. infra/docker/backup.yml adds the container.
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveMetrics } from '@practice/metrics';
import { messageOf, type ListenOptions } from '@practice/process';
import { infraIn, METRICS_PORT } from './container-servers.js';
import { readSettings } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';
import { keysFolderOf } from '../settings/key-lists.js';
import { removeData } from '../postgres/cluster.js';
import { isReachable } from '../postgres/reachable.js';
import { openSecrets } from '../settings/secrets.js';
import { type Service, storedServices } from '../settings/services.js';
import { stagesShownBy } from '../common/stages.js';
import { startArchiver } from '../backup/archiver.js';
import { basesOf } from '../backup/base-backup.js';
import { backupOf, requireTarget, say, type Place } from '../backup/commands.js';
import { stamp, systemOf } from '../backup/layout.js';
import { measureBackups } from '../backup/measure.js';
import { rebuild, sourceOf, type Wanted } from '../backup/restore.js';
import { restoreState } from '../backup/state.js';

const LOOK_EVERY_MS = 60_000;
const BASE_EVERY_MS = 86_400_000;

/** In a container, DATA_DIR is the folder of the cluster: `<volume>/<major version>/docker` in the image of Postgres. */
const clusterFolder = (): string => readSettings().DATA_DIR;
export const volumeOfPostgres = (): string => dirname(dirname(clusterFolder()));
const serverUrl = (volumes: string): string =>
  infraIn(openSecrets(join(volumes, 'infra'))).databases[0]?.adminUrl ?? '';

export const placeIn = (volumes: string): Place => ({
  target: requireTarget(readSettings()),
  // The container does not get the settings of other databases, because their URLs contain passwords.
  elsewhere: [],
  scratch: volumeOfPostgres(),
  folder: clusterFolder,
  withPostgres: (use) => use(serverUrl(volumes)),
});

/** `backup run [--keep DAYS]`: archives until it is stopped, and makes a base backup each day. */
export async function backUpDaily(volumes: string, args: readonly string[]): Promise<void> {
  const stopped = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stopped.abort());
  const metrics = { host: '0.0.0.0', port: METRICS_PORT };
  await runBackups(placeIn(volumes), { volumes, args, metrics, stopped: stopped.signal });
}

export interface Running {
  readonly volumes: string;
  /** Arguments for the base backup of each day. */
  readonly args: readonly string[];
  readonly metrics: ListenOptions;
  readonly stopped: AbortSignal;
}

/** Archives the log, makes a base backup each day and serves the metrics, until it is stopped. */
export async function runBackups(place: Place, { volumes, args, metrics, stopped }: Running): Promise<void> {
  const { target } = place;
  const archiver = startArchiver({ folder: place.folder(), dataDir: stateOf(volumes), target, say });
  const forget = measureBackups(archiver);
  const server = await serveMetrics(metrics);
  while (!stopped.aborted) {
    await daily(place, args).catch((error: unknown) =>
      say(`No base backup yet, tried again in a minute: ${messageOf(error)}`),
    );
    await pause(LOOK_EVERY_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
  await archiver.stop();
  forget();
  await server.close();
}

async function daily(place: Place, args: readonly string[]): Promise<void> {
  const newest = (await basesOf(place.target, systemOf(place.folder()))).at(-1);
  if (newest === undefined || Date.now() - Date.parse(newest.completedAt) >= BASE_EVERY_MS)
    await backupOf(place, args);
}

/**
 * Restores the database into the volume of Postgres and the secrets into their volume, and adds entries to the ledgers. The current
 * database is moved aside when the restored one is complete.
 * @throws {Failure} if Postgres runs, or for the reasons of `restore`
 */
export async function restoreInContainer(volumes: string, wanted: Wanted): Promise<void> {
  const { target } = placeIn(volumes);
  const { hostname, port } = new URL(serverUrl(volumes));
  if (await isReachable(Number(port), hostname))
    throw new Failure('Postgres runs. Stop the containers first: docker compose stop');
  const source = await sourceOf(target, wanted);
  const owner = statSync(volumeOfPostgres());
  if (owner.uid === 0)
    throw new Failure('The volume of Postgres is new. Make it first: docker compose up --no-start');
  const makeOwned = (folder: string): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, owner.uid, owner.gid);
  };
  // Always the same folder, so that the next restore deletes the files of a killed one.
  const scratch = join(volumeOfPostgres(), 'restore');
  const clear = (): void => {
    removeData(join(scratch, 'postgres'));
    rmSync(scratch, { recursive: true, force: true });
  };
  clear();
  try {
    makeOwned(scratch);
    makeOwned(join(scratch, 'postgres'));
    const reached = await rebuild(scratch, source, stagesShownBy(say));
    const time = wanted.to === 'gap' ? new Date(reached) : wanted.to;
    await restoreState({ ...source, dataDir: stateOf(volumes) }, time);
    for (const service of storedServices) leaveToOwnerOfFolder(ledgerOf(volumes, service));
    makeOwned(dirname(clusterFolder()));
    if (existsSync(clusterFolder())) {
      const aside = join(volumeOfPostgres(), `before-restore-${stamp(new Date())}`);
      renameSync(clusterFolder(), aside);
      say(`The database that was there is in ${aside}. Delete it when you no longer need it.`);
    }
    renameSync(join(scratch, 'postgres'), clusterFolder());
    say(`The database is as it was after the change of ${reached}.`);
  } finally {
    clear();
  }
}

const ledgerOf = (volumes: string, { name }: Service): string =>
  join(volumes, 'ledgers', name, `${name}.erasures`);

/** Makes a folder with the layout of DATA_DIR under `npm start`, with links into the volumes. */
function stateOf(volumes: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'practice-state-'));
  mkdirSync(keysFolderOf(folder));
  for (const name of ['secrets.json', 'nats-readers.json'])
    symlinkSync(join(volumes, 'infra', name), join(folder, name));
  for (const service of storedServices)
    symlinkSync(ledgerOf(volumes, service), join(keysFolderOf(folder), `${service.name}.erasures`));
  return folder;
}

function leaveToOwnerOfFolder(file: string): void {
  if (!existsSync(file)) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}
