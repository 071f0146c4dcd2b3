// Postgres and NATS, prepared for the services: built in, or those that the settings name.
import { mkdirSync } from 'node:fs';
import type { Settings } from './dev.config.js';
import { startBus } from './nats/bus.js';
import { startDatabase } from './postgres/database.js';
import type { Roster } from './processes/roster.js';
import type { Watched } from './processes/watch.js';
import type { Secrets } from './secrets.js';
import type { Stages } from './stages.js';

export interface InfraParts {
  /** `DATA_DIR` and `CACHE_DIR` are absolute, and this process has claimed the data folder. */
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly stages: Stages;
  /** Folder for what the servers log. */
  readonly logDir: string;
  readonly roster: Roster;
}

export interface Database {
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  /** URL of the user who may do everything in the database. */
  readonly adminDatabaseUrl: string;
  /** The server, unless it was there already. */
  readonly server: Watched | undefined;
}

export interface Bus {
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
  /** The server, unless it was there already. */
  readonly server: Watched | undefined;
}

export interface Infra extends Omit<Database, 'server'>, Omit<Bus, 'server'> {
  readonly stop: () => Promise<void>;
}

/**
 * Starts what is missing and prepares both; Postgres and NATS come up side by side.
 * @throws {Failure} when one of them cannot be had; the other is stopped again
 */
export async function startInfra(parts: InfraParts): Promise<Infra> {
  mkdirSync(parts.logDir, { recursive: true });
  const [database, bus] = await Promise.allSettled([startDatabase(parts), startBus(parts)]);
  if (database.status === 'fulfilled' && bus.status === 'fulfilled')
    return together(database.value, bus.value);
  if (database.status === 'fulfilled') await database.value.server?.stop();
  if (bus.status === 'fulfilled') await bus.value.server?.stop();
  throw database.status === 'rejected' ? database.reason : (bus as PromiseRejectedResult).reason;
}

function together(database: Database, bus: Bus): Infra {
  return {
    databaseUrl: database.databaseUrl,
    adminDatabaseUrl: database.adminDatabaseUrl,
    natsUrl: bus.natsUrl,
    stop: async () => {
      await bus.server?.stop();
      await database.server?.stop();
    },
  };
}
