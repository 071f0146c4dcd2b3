// The servers of containers, and the volumes and ports that containers share.
import { join } from 'node:path';
import { placeOfContainers, readSettings } from '../settings/operator.config.js';
import { readReaders, userOf } from '../nats/readers.js';
import { serverFile } from '../nats/server-file.js';
import { refuseReplicas } from '../nats/stream.js';
import { productUsers } from '../nats/users.js';
import { places, type Place } from '../settings/places.js';
import { DATABASE } from '../postgres/provision.js';
import { databaseServers, urlsOn } from '../postgres/servers.js';
import type { Secrets } from '../settings/secrets.js';

/** Ports inside the containers, independent of the published ones. */
export const API_PORT = 8000;
export const HEALTH_PORT = 8080;
export const METRICS_PORT = 9464;
/** Where a container sees its volume. */
export const OWN_VOLUME = '/run/practice';
/** A service may write to this volume, unlike to the volume with its secrets. */
export const ERASURES_VOLUME = '/var/lib/practice';
/** The ports of NATS for clients, and for the other servers of a cluster. */
const NATS_PORT = 4222;
const NATS_CLUSTER_PORT = 6222;

/** Where the containers of this run are. */
export const placeHere = (): Place => places[placeOfContainers()];

const natsHosts = (): readonly string[] => placeHere().natsHosts(readSettings().STREAM_REPLICAS);

/** The part of a NATS URL after the credentials: the servers. */
export const natsServers = (): string =>
  natsHosts()
    .map((host) => `${host}:${NATS_PORT}`)
    .join(',nats://');

/** This server as a member of a cluster. All servers have the same file, so `--name` gives each its own name. */
function natsMember() {
  const hosts = natsHosts();
  if (hosts.length === 1) return {};
  const routes = hosts.map((host) => `nats://${host}:${NATS_CLUSTER_PORT}`);
  return { member: { name: 'practice', port: NATS_CLUSTER_PORT, routes } };
}

/**
 * The addresses at which containers reach the servers: servers in containers, or the servers that the settings name.
 * @throws {Failure} when the settings contradict each other
 */
export function infraIn(secrets: Secrets) {
  const settings = readSettings();
  if (natsHosts().length < settings.STREAM_REPLICAS) refuseReplicas(settings);
  const { postgres, pooler, postgresParameters } = placeHere();
  const password = secrets.get('postgres_superuser');
  const at = (host: string): string =>
    `postgres://postgres:${password}@${host}/${DATABASE}${postgresParameters}`;
  const own = { adminUrl: at(postgres), poolUrl: settings.DATABASE_POOL_URL || (pooler && at(pooler)) };
  const databases = databaseServers(settings, settings.DATABASE_URL === '' ? own : undefined);
  const ownNats = (user: string): string => `nats://${user}:${secrets.get(`nats_${user}`)}@${natsServers()}`;
  return {
    databases,
    ...urlsOn(databases, (role) => secrets.get(`postgres_${role}`)),
    natsUrl: settings.NATS_URL === '' ? ownNats : (): string => settings.NATS_URL,
  };
}

/** The configuration of nats-server. */
export function natsFile(volumes: string, secrets: Secrets): string {
  return serverFile({
    host: '0.0.0.0',
    port: NATS_PORT,
    storeDir: '/data',
    users: [
      ...productUsers((user) => secrets.get(`nats_${user}`)),
      ...readReaders(join(volumes, 'infra')).map(userOf),
    ],
    monitor: '127.0.0.1:8222',
    ...natsMember(),
  });
}
