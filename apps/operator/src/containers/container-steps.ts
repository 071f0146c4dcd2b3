// The preparations for containers: the steps of `main.js`, in a folder with one volume per container. A container mounts only its
// own volume.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceEnvironment, settings } from '@practice/settings';
import { say } from '../backup/commands.js';
import { runCommand, type Surroundings } from '../commands/commands.js';
import { backUpDaily, placeIn, restoreInContainer, volumeOfPostgres } from './backups.js';
import {
  API_PORT,
  ERASURES_VOLUME,
  HEALTH_PORT,
  infraIn,
  METRICS_PORT,
  natsFile,
  natsServers,
  OWN_VOLUME,
  placeHere,
} from './container-servers.js';
import { envFile } from './env-file.js';
import { exclusively } from './exclusively.js';
import { placeOfContainers, readSettings, type Settings } from '../settings/operator.config.js';
import { Failure } from '../common/failure.js';
import { secretsKustomization } from './kubernetes-secrets.js';
import { migrateAll } from '../programs/migrate.js';
import { changeUser, readerUrl, requireOwnNats } from '../events/commands.js';
import { reconcileAll } from '../programs/reconcile.js';
import { prepareStream } from '../nats/stream.js';
import { ADMIN } from '../nats/users.js';
import { provision } from '../postgres/provision.js';
import { keysOf, operatorsKeys, writeKeyFiles, type WriteKeyFile } from '../settings/key-lists.js';
import { environmentOf } from '../processes/environment.js';
import { openSecrets, statementKeysOf, type Secrets } from '../settings/secrets.js';
import { GATEWAY, LIVE, rolesOf, services, storedServices, type Service } from '../settings/services.js';
import { stagesShownBy } from '../common/stages.js';
import { projectFolder } from '../settings/project.js';
import { until } from '../common/until.js';

/** Milliseconds. A process whose settings change restarts. The settings of the next process change when it serves again. */
const NEXT_RESTART_MS = 8000;
const SHARED_WITHIN_MS = 60_000;
/** A file in the volume `infra` with the id of the image that wrote the secrets in the volumes. */
const SHARED_BY = 'shared-by';

type Step = (volumes: string, args: readonly string[]) => Promise<void>;

const commandOf =
  (name: string, ...first: readonly string[]): Step =>
  (volumes, args) =>
    runCommand(name, [...first, ...args], surroundingsIn(volumes));

/** A step that restores, also for a trial: its scratch folder is in the volume of Postgres. */
const restoring =
  (step: Step): Step =>
  (volumes, args) =>
    exclusively(volumeOfPostgres(), () => step(volumes, args));

const steps: Readonly<Record<string, Step>> = {
  secrets: shareSecrets,
  prepare,
  backup: (volumes, args) => {
    if (args[0] === 'run') return backUpDaily(volumes, args.slice(1));
    const backup = commandOf('backup');
    return (args.includes('--restore') ? restoring(backup) : backup)(volumes, args);
  },
  restore: restoring(commandOf('restore')),
  user: commandOf('events', 'user'),
  keys: commandOf('keys'),
  rebuild: commandOf('projections', 'rebuild'),
  republish: commandOf('events', 'republish'),
  events: commandOf('events'),
  log: commandOf('log'),
};

/** @throws {Failure} when the name is unknown */
export async function runStep(volumes: string, [name = '', ...args]: readonly string[]): Promise<void> {
  const step = steps[name];
  if (!step) throw new Failure(`Usage: main.js ${Object.keys(steps).join('|')}`);
  await step(volumes, args);
}

/** The surroundings of commands in a container: they read everything from the volumes. */
function surroundingsIn(volumes: string): Surroundings {
  const secretsOf = (): Secrets => openSecrets(join(volumes, 'infra'));
  return {
    withServers: (use) =>
      use({
        ...infraIn(secretsOf()),
        keySetting: (keys) => operatorsKeys(readSettings(), keys) ?? keysOf(secretsOf(), keys),
        keyStore: () => ({ secrets: secretsOf(), write: keyFilesOf(volumes) }),
      }),
    runningServers: () => infraIn(secretsOf()),
    changeUsers: (args) => changeUsers(volumes, args),
    noteVerification: () => undefined,
    beginEpochs: () => reconcileAll(infraIn(secretsOf()), stagesShownBy(say), { everywhere: true }),
    backups: () => placeIn(volumes),
    restore: (wanted) => restoreInContainer(volumes, wanted),
  };
}

async function shareSecrets(volumes: string): Promise<void> {
  mkdirSync(join(volumes, 'infra'), { recursive: true });
  const secrets = openSecrets(join(volumes, 'infra'));
  const share = sharing(volumes);
  // The services are first, so that they accept a new key of statements before a gateway uses it.
  const inOrder = [...storedServices, ...services.filter(({ answers }) => !answers)];
  const environments = inOrder.map(
    (service) => [service.name, envFile(environmentIn(service, secrets))] as const,
  );
  share('nats', 'nats-server.conf', natsFile(volumes, secrets));
  writeKeyFiles({ secrets, settings: readSettings() }, keyFilesOf(volumes));
  const password = secrets.get('postgres_superuser');
  secrets.save();
  share('postgres', 'password', password);
  share('infra', SHARED_BY, thisImage());
  const { baseUrl, apikey } = addressOf(secrets);
  process.stdout.write(`API ${baseUrl}, API key ${apikey}\n`);
  let hasReplaced = false;
  for (const [name, environment] of environments) {
    const replaces = ![undefined, environment].includes(contentOf(join(volumes, name, 'env')));
    if (replaces && hasReplaced && placeOfContainers() === 'compose') await pause(NEXT_RESTART_MS);
    share(name, 'env', environment);
    if (replaces) say(`${name} starts again with other settings`);
    hasReplaced ||= replaces;
  }
  if (placeOfContainers() === 'kubernetes') shareWithKubernetes(volumes, secrets);
}

/** The id of this image; empty outside of an image. */
const thisImage = (): string => contentOf(join(projectFolder, 'image-id')) ?? '';

const contentOf = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;

/**
 * Waits for `secrets`. It runs beside `prepare`, and both make the keys that a new version adds: both must use the same keys.
 * @throws {Failure} when `secrets` of this image has not run
 */
async function secretsAreShared(volumes: string): Promise<void> {
  if (placeOfContainers() !== 'compose') return;
  const file = join(volumes, 'infra', SHARED_BY);
  const isShared = (): boolean => contentOf(file) === thisImage();
  if ((await until(isShared, { within: SHARED_WITHIN_MS })) === undefined)
    throw new Failure('The step secrets of this image has not run: docker compose up --detach secrets');
}

/** Makes all secrets, since pods cannot write to theirs, and writes the settings of the steps beside them. */
function shareWithKubernetes(volumes: string, secrets: Secrets): void {
  for (const service of storedServices)
    for (const role of Object.values(rolesOf(service))) secrets.get(`postgres_${role}`);
  secrets.save();
  sharing(volumes)('infra', 'env', envFile(environmentOfSteps(readSettings())));
  const filesOf = ({ name }: Service): string[] => readdirSync(join(volumes, name)).sort();
  writeFileSync(join(volumes, 'kustomization.yaml'), secretsKustomization(filesOf));
}

/** The settings of the steps that run in the cluster, including services' own servers. */
function environmentOfSteps(values: Settings): Record<string, string | number> {
  const ofServers = Object.entries(settings).filter(([, { isOfServers }]) => isOfServers);
  return Object.assign(
    // Without the operator's key, commands would seal with a key that no service has.
    { PLACE: placeOfContainers(), KEY_ENCRYPTION_KEY: values.KEY_ENCRYPTION_KEY },
    ...ofServers.map(([name]) => ({ [name]: values[name as keyof Settings] })),
    ...Object.entries(values.ofServices).map(([name, own]) => serviceEnvironment(name, own)),
  ) as Record<string, string | number>;
}

async function prepare(volumes: string): Promise<void> {
  await secretsAreShared(volumes);
  const secrets = openSecrets(join(volumes, 'infra'));
  const infra = infraIn(secrets);
  const stages = stagesShownBy(say);
  const passwordOf = (role: string): string => secrets.get(`postgres_${role}`);
  await stages.run('Roles and schemas', () =>
    Promise.all(infra.databases.map((server) => provision({ ...server, passwordOf, save: secrets.save }))),
  );
  const stream = { say: stages.say, settings: readSettings() };
  await stages.run('NATS stream', () => prepareStream(infra.natsUrl(ADMIN), stream));
  await stages.run('Migrations', () => migrateAll(infra));
  await reconcileAll(infra, stages);
}

async function changeUsers(volumes: string, args: readonly string[]): Promise<void> {
  requireOwnNats();
  const dataDir = join(volumes, 'infra');
  const { report, changed } = changeUser(dataDir, args, (reader) => readerUrl(reader, natsServers()));
  sharing(volumes)('nats', 'nats-server.conf', natsFile(volumes, openSecrets(dataDir)));
  const apply =
    placeOfContainers() === 'compose' ? 'nats-server follows within a second' : 'Apply it: kubectl apply -k';
  const hint = changed === undefined ? '' : `${apply}\n`;
  process.stdout.write(`${report}\n${hint}`);
}

/** Writes a file to a volume. Any user of the one container with the volume can read it, as its program may run as any user. */
const sharing =
  (volumes: string) =>
  (volume: string, name: string, content: string): void => {
    const file = join(volumes, volume, name);
    mkdirSync(join(volumes, volume), { recursive: true });
    // Containers restart when a file changes, so a file with the same content is not written.
    if (contentOf(file) === content) return;
    // Replaced, not written: without capabilities, not even root writes to a file without write permission.
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, content, { mode: 0o444 });
    renameSync(`${file}.new`, file);
  };

/** The files with the keys of a service are in its volume. */
const keyFilesOf =
  (volumes: string): WriteKeyFile =>
  ({ service, file }, content) =>
    sharing(volumes)(service, file, content);

function addressOf(secrets: Secrets): { readonly baseUrl: string; readonly apikey: string } {
  const settings = readSettings();
  return {
    baseUrl: settings.BASE_URL || `http://127.0.0.1:${settings.PORT}`,
    apikey: settings.ANON_KEY || secrets.get('anon_key'),
  };
}

function environmentIn(service: Service, secrets: Secrets): Record<string, string> {
  const address = addressOf(secrets);
  const settings = { ...readSettings(), HOST: '0.0.0.0' };
  return environmentOf(service, {
    infra: infraIn(secrets),
    settings,
    keysFolder: OWN_VOLUME,
    erasuresFolder: ERASURES_VOLUME,
    statementKeys: statementKeysOf(secrets),
    ...address,
    origin: address.baseUrl,
    port: service.name === GATEWAY ? API_PORT : HEALTH_PORT,
    drainSeconds: placeHere().drainSeconds,
    healthHost: placeHere().healthHost,
    liveHost: '0.0.0.0',
    // The name leads to every container of the service.
    liveUrls: [`http://${LIVE}:${HEALTH_PORT}`],
    // Other containers of the network may read it; no port of the host leads there.
    metrics: { host: '0.0.0.0', port: METRICS_PORT },
  });
}
