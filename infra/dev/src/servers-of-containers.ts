// The servers of containers: their own Postgres and NATS, or the ones that the settings name.
import { readSettings } from './dev.config.js';
import { requireCluster } from './nats/bus.js';
import { DATABASE } from './postgres/provision.js';
import { databaseServers, urlsOn } from './postgres/servers.js';
import type { Secrets } from './secrets.js';

/**
 * The servers, as containers reach them.
 * @throws {Failure} when the settings contradict each other
 */
export function serversOfContainers(secrets: Secrets) {
  const settings = readSettings();
  requireCluster(settings);
  const ownPostgres = `postgres://postgres:${secrets.get('postgres_superuser')}@postgres:5432/${DATABASE}`;
  const databases = databaseServers(settings, settings.DATABASE_URL === '' ? ownPostgres : undefined);
  const ownNats = (user: string): string => `nats://${user}:${secrets.get(`nats_${user}`)}@nats:4222`;
  return {
    databases,
    ...urlsOn(databases, (role) => secrets.get(`postgres_${role}`)),
    natsUrl: settings.NATS_URL === '' ? ownNats : (): string => settings.NATS_URL,
  };
}
