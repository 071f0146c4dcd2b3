import { join } from 'node:path';
import {
  type Archiver,
  archiveSettings,
  DATABASE,
  databaseServers,
  freePort,
  isReachable,
  needsBuiltIn,
  openCluster,
  provision,
  refuseTarget,
  startArchiver,
  startPostgres,
  stopPostgres,
  targetOf,
  urlsOn,
  withCredentials,
} from '@practice/operator';
import type { ServerParts } from './servers.js';
import { patient } from '../processes/health.js';
import { watch } from '../processes/watch.js';

/**
 * The databases of all services, with their roles and schemas: built in, or the ones that the settings name.
 * @throws {Failure} when a database is not available or cannot be prepared
 */
export async function startDatabase(parts: ServerParts) {
  const { settings, secrets, stages } = parts;
  const own = needsBuiltIn(settings) ? await startOwn(parts) : refuseTarget(settings);
  const passwordOf = (role: string): string => secrets.get(`postgres_${role}`);
  try {
    const databases = databaseServers(
      settings,
      own && { adminUrl: own.url, poolUrl: settings.DATABASE_POOL_URL },
    );
    await stages.run('Roles and schemas', () =>
      Promise.all(databases.map((server) => provision({ ...server, passwordOf, save: secrets.save }))),
    );
    return {
      databases,
      /** URL of the user who may do everything in the database that services share, or else in the first one. */
      adminDatabaseUrl: databases[0]?.adminUrl ?? '',
      ...urlsOn(databases, passwordOf),
      /** The built-in server; undefined if the settings name external ones. */
      server: own?.server,
      /** Archives the log of the built-in server, if there is a target for backups. */
      archiver: own?.archiver,
    };
  } catch (error) {
    await own?.server.stop();
    throw error;
  }
}

/** Milliseconds that a stop waits for a BACKUP_COMMAND. A file that it did not copy is copied after the next start. */
const COMMANDS_END_WITHIN_MS = 10_000;

async function startOwn(parts: ServerParts) {
  const { settings, secrets, stages } = parts;
  const password = (): string => {
    const made = secrets.get('postgres_superuser');
    secrets.save();
    return made;
  };
  const cluster = await stages.run(
    'Postgres data',
    () => openCluster(settings.DATA_DIR, password),
    ({ isNew, folder }) => (isNew ? `made in ${folder}` : 'kept'),
  );
  const port = await freePort();
  const logFile = join(parts.logDir, 'postgres.log');
  const commands = new AbortController();
  const target = targetOf(settings, commands.signal);
  const extra = target === undefined ? {} : archiveSettings;
  let isFirst = true;
  const watched = await stages.run('Postgres', () =>
    watch({
      name: 'postgres',
      start: async () => {
        const child = await startPostgres({ cluster, port, logFile, isFirst, extra });
        isFirst = false;
        return child;
      },
      health: patient(async () => ((await isReachable(port)) ? 'well' : 'silent')),
      stop: stopPostgres,
      onChange: (pid) => parts.processTable.note('postgres', pid),
      say: stages.say,
    }),
  );
  if (target === undefined) return { server: watched, url: urlOf(port, password()), archiver: undefined };
  const { folder } = cluster;
  const archiver = startArchiver({ folder, dataDir: settings.DATA_DIR, target, say: stages.say });
  const stop = (): Promise<void> => watched.stop().then(() => stopArchiver(archiver, commands));
  return { server: { ...watched, stop }, url: urlOf(port, password()), archiver };
}

async function stopArchiver(archiver: Archiver, commands: AbortController): Promise<void> {
  const timer = setTimeout(() => commands.abort(), COMMANDS_END_WITHIN_MS);
  await archiver.stop();
  clearTimeout(timer);
}

const urlOf = (port: number, password: string): string =>
  withCredentials(`postgres://127.0.0.1:${port}/${DATABASE}`, 'postgres', password);
