// The same preparations for containers: the steps of `container.js`, in a folder with one volume per container. A container
// mounts only its own volume.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keys, rebuild, republish, type Servers } from './commands.js';
import { serversOfContainers } from './servers-of-containers.js';
import { readSettings } from './dev.config.js';
import { Failure } from './failure.js';
import { migrateAll } from './migrate.js';
import { eventsOn, requireOwnNats } from './events/commands.js';
import { changeUser, readerUrl } from './events/users-command.js';
import { log } from './log/commands.js';
import { reconcileAll } from './reconcile.js';
import { readReaders, userOf } from './nats/readers.js';
import { serverFile } from './nats/server-file.js';
import { keepingOf, prepareStream } from './nats/stream.js';
import { ADMIN, productUsers } from './nats/users.js';
import { provision } from './postgres/provision.js';
import { keysOf, operatorsKeys, personalKeysOf, writeKeyFiles, type WriteKeyFile } from './key-lists.js';
import { environmentOf } from './processes/environment.js';
import { openSecrets, statementKeysOf, type Secrets } from './secrets.js';
import { GATEWAY, LIVE, services, type Service } from './services.js';
import { stagesShownBy } from './stages.js';

/** Ports inside the containers, independent of the published ones. */
const API_PORT = 8000;
const HEALTH_PORT = 8080;
const METRICS_PORT = 9464;
/** More than two health checks of the proxy. */
const DRAIN_SECONDS = 3;
/** Where a container sees its volume. */
const OWN_VOLUME = '/run/practice';
/** A service may write to it, unlike to the volume of its secrets. */
const ERASURES_VOLUME = '/var/lib/practice';

type Step = (volumes: string, args: readonly string[]) => Promise<void>;

const steps: Readonly<Record<string, Step>> = {
  secrets: shareSecrets,
  prepare,
  user: changeUsers,
  keys: (volumes, args) => keys(args, withServers(volumes)),
  rebuild: (volumes, args) => rebuild(['rebuild', ...args], withServers(volumes)),
  republish: (volumes, args) => republish(['republish', ...args], withServers(volumes)),
  events: (volumes, args) => eventsOn(args, serversOfContainers(openSecrets(join(volumes, 'infra')))),
  log: (volumes, args) =>
    log(args, {
      access: withServers(volumes),
      note: () => undefined,
      beginEpochs: () =>
        reconcileAll(serversOfContainers(openSecrets(join(volumes, 'infra'))), stagesShownBy(say), {
          everywhere: true,
        }),
    }),
};

/** @throws {Failure} when the name is unknown */
export async function runStep(volumes: string, [name = '', ...args]: readonly string[]): Promise<void> {
  const step = steps[name];
  if (!step) throw new Failure(`Usage: container.js ${Object.keys(steps).join('|')}`);
  await step(volumes, args);
}

async function shareSecrets(volumes: string): Promise<void> {
  const secrets = openSecrets(join(volumes, 'infra'));
  const share = sharing(volumes);
  share('postgres', 'password', secrets.get('postgres_superuser'));
  share('nats', 'nats-server.conf', natsFile(volumes, secrets));
  for (const service of services) share(service.name, 'env', envFile(environmentIn(service, secrets)));
  writeKeyFiles({ secrets, settings: readSettings() }, keyFilesOf(volumes));
  secrets.save();
  const { baseUrl, apikey } = addressOf(secrets);
  process.stdout.write(`API ${baseUrl}, API key ${apikey}\n`);
}

async function prepare(volumes: string): Promise<void> {
  const secrets = openSecrets(join(volumes, 'infra'));
  const infra = serversOfContainers(secrets);
  const stages = stagesShownBy(say);
  const passwordOf = (role: string): string => secrets.get(`postgres_${role}`);
  await stages.run('Roles and schemas', () =>
    Promise.all(infra.databases.map((server) => provision({ ...server, passwordOf, save: secrets.save }))),
  );
  const stream = { say: stages.say, keeping: keepingOf(readSettings()) };
  await stages.run('NATS stream', () => prepareStream(infra.natsUrl(ADMIN), stream));
  await stages.run('Migrations', () =>
    migrateAll({ ...infra, personalKeys: (service) => keysOf(secrets, personalKeysOf(service)) }),
  );
  await reconcileAll(infra, stages);
}

async function changeUsers(volumes: string, args: readonly string[]): Promise<void> {
  requireOwnNats();
  const dataDir = join(volumes, 'infra');
  const { report, added, revoked } = changeUser(dataDir, args, (reader) => readerUrl(reader, 'nats:4222'));
  sharing(volumes)('nats', 'nats-server.conf', natsFile(volumes, openSecrets(dataDir)));
  const hint = (added ?? revoked) ? 'Apply it: docker compose kill -s HUP nats\n' : '';
  process.stdout.write(`${report}\n${hint}`);
}

/** Readable inside the one container that has the volume, by whatever user its program runs as. */
const sharing =
  (volumes: string) =>
  (volume: string, name: string, content: string): void => {
    const file = join(volumes, volume, name);
    mkdirSync(join(volumes, volume), { recursive: true });
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

const withServers =
  (volumes: string) =>
  (use: (servers: Servers) => Promise<number>): Promise<number> => {
    const secrets = openSecrets(join(volumes, 'infra'));
    return use({
      ...serversOfContainers(secrets),
      keySetting: (keys) => operatorsKeys(readSettings(), keys) ?? keysOf(secrets, keys),
      keyStore: () => ({ secrets, write: keyFilesOf(volumes) }),
    });
  };

function natsFile(volumes: string, secrets: Secrets): string {
  return serverFile({
    host: '0.0.0.0',
    port: 4222,
    storeDir: '/data',
    users: [
      ...productUsers((user) => secrets.get(`nats_${user}`)),
      ...readReaders(join(volumes, 'infra')).map(userOf),
    ],
    monitor: '127.0.0.1:8222',
  });
}

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
    infra: serversOfContainers(secrets),
    settings,
    keysFolder: OWN_VOLUME,
    erasuresFolder: ERASURES_VOLUME,
    statementKeys: statementKeysOf(secrets),
    ...address,
    origin: address.baseUrl,
    port: service.name === GATEWAY ? API_PORT : HEALTH_PORT,
    drainSeconds: DRAIN_SECONDS,
    liveHost: '0.0.0.0',
    // The name leads to every container of the service.
    liveUrls: [`http://${LIVE}:${HEALTH_PORT}`],
    // Other containers of the network may read it; no port of the host leads there.
    metrics: { host: '0.0.0.0', port: METRICS_PORT },
  });
}

/** A file for `node --env-file`: each value between quotes that do not occur in it. */
function envFile(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => {
      const quote = [`'`, '`', '"'].find((mark) => !value.includes(mark));
      if (quote === undefined) throw new Failure(`${name} holds every kind of quotation mark.`);
      return `${name}=${quote}${value}${quote}\n`;
    })
    .join('');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
