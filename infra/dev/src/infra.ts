// Postgres and NATS, prepared for the services: built in, or those that the settings name.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from './dev.config.js';
import { findNatsServer } from './nats/find.js';
import { ADMIN, startNats } from './nats/server.js';
import { prepareStream } from './nats/stream.js';
import { openCluster } from './postgres/cluster.js';
import { DATABASE, provision } from './postgres/provision.js';
import { startPostgres } from './postgres/server.js';
import type { Child } from './processes/child.js';
import type { Secrets } from './secrets.js';
import type { Stages } from './stages.js';

export interface Infra {
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  /** URL of the user who may do everything in the database. */
  readonly adminDatabaseUrl: string;
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
  /** The programs that were started here; none for servers that were there already. */
  readonly children: readonly Child[];
  readonly stop: () => Promise<void>;
}

export interface InfraParts {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly stages: Stages;
  /** Told of every program as soon as it runs, so that a failure later can still clear it away. */
  readonly onChild?: (child: Child) => void;
}

type Database = Pick<Infra, 'databaseUrl' | 'adminDatabaseUrl' | 'children' | 'stop'>;
type Bus = Pick<Infra, 'natsUrl' | 'children' | 'stop'>;

/**
 * Starts what is missing and prepares both; Postgres and NATS come up side by side.
 * @throws {Failure} when one of them cannot be had; what was started by then is stopped again
 */
export async function startInfra(parts: InfraParts): Promise<Infra> {
  mkdirSync(logFolder(parts), { recursive: true });
  const [database, bus] = await Promise.allSettled([startDatabase(parts), startBus(parts)]);
  if (database.status === 'fulfilled' && bus.status === 'fulfilled')
    return together(database.value, bus.value);
  if (database.status === 'fulfilled') await database.value.stop();
  if (bus.status === 'fulfilled') await bus.value.stop();
  throw database.status === 'rejected' ? database.reason : (bus as PromiseRejectedResult).reason;
}

function together(database: Database, bus: Bus): Infra {
  return {
    ...database,
    ...bus,
    children: [...database.children, ...bus.children],
    stop: async () => {
      await bus.stop();
      await database.stop();
    },
  };
}

async function startDatabase(parts: InfraParts): Promise<Database> {
  const { settings, secrets, stages } = parts;
  const passwordOf = (role: string): string => secrets.get(`postgres_${role}`);
  const server = settings.DATABASE_URL === '' ? await startOwnPostgres(parts) : undefined;
  const adminDatabaseUrl = server?.adminUrl ?? settings.DATABASE_URL;
  const databaseUrl = (role: string): string => withCredentials(adminDatabaseUrl, role, passwordOf(role));
  const stop = async (): Promise<void> => server?.stop();
  try {
    await stages.run('Roles and schemas', () =>
      provision({ adminUrl: adminDatabaseUrl, passwordOf, isOurs: server !== undefined, save: secrets.save }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { adminDatabaseUrl, databaseUrl, children: server ? [server.child] : [], stop };
}

async function startOwnPostgres(parts: InfraParts) {
  const { settings, secrets, stages } = parts;
  const superuser = 'postgres';
  const cluster = await stages.run(
    'Postgres data',
    () =>
      openCluster(settings.DATA_DIR, () => {
        const password = secrets.get('postgres_superuser');
        secrets.save();
        return password;
      }),
    ({ isNew, folder }) => (isNew ? `made in ${folder}` : 'kept'),
  );
  const server = await stages.run('Postgres', () =>
    startPostgres(cluster, join(logFolder(parts), 'postgres.log')),
  );
  parts.onChild?.(server.child);
  const adminUrl = withCredentials(
    `postgres://127.0.0.1:${server.port}/${DATABASE}`,
    superuser,
    secrets.get('postgres_superuser'),
  );
  return { ...server, adminUrl };
}

async function startBus(parts: InfraParts): Promise<Bus> {
  const { settings, secrets, stages } = parts;
  if (settings.NATS_URL !== '') {
    await stages.run('NATS stream', () => prepareStream(settings.NATS_URL));
    return { natsUrl: () => settings.NATS_URL, children: [], stop: async () => undefined };
  }
  const program = await stages.run(
    'nats-server',
    () => findNatsServer(resolve(settings.CACHE_DIR)),
    (path) => path,
  );
  const passwordOf = (user: string): string => secrets.get(`nats_${user}`);
  const server = await stages.run('NATS with JetStream', async () => {
    const started = await startNats({
      program,
      dataDir: resolve(settings.DATA_DIR),
      logFile: join(logFolder(parts), 'nats-server.log'),
      passwordOf,
    });
    parts.onChild?.(started.child);
    secrets.save();
    await prepareStream(started.urlOf(ADMIN)).catch(async (error: unknown) => {
      await started.stop();
      throw error;
    });
    return started;
  });
  return { natsUrl: server.urlOf, children: [server.child], stop: server.stop };
}

function logFolder({ settings }: InfraParts): string {
  return resolve(settings.DATA_DIR, 'logs');
}

function withCredentials(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.href;
}
