import { join } from 'node:path';
import type { Database, ServerParts } from '../servers.js';
import { freePort } from '../ports.js';
import { watch, type Watched } from '../processes/watch.js';
import { withCredentials } from '../with-credentials.js';
import { openCluster } from './cluster.js';
import { DATABASE, provision } from './provision.js';
import { startPostgres, stopPostgres } from './server.js';

/**
 * The database of all services, with their roles and schemas: built in, or the one that DATABASE_URL names.
 * @throws {Failure} when it cannot be had or prepared
 */
export async function startDatabase(parts: ServerParts): Promise<Database> {
  const { settings, secrets, stages } = parts;
  const own = settings.DATABASE_URL === '' ? await startOwn(parts) : undefined;
  const adminDatabaseUrl = own?.url ?? settings.DATABASE_URL;
  const passwordOf = (role: string): string => secrets.get(`postgres_${role}`);
  try {
    await stages.run('Roles and schemas', () =>
      provision({ adminUrl: adminDatabaseUrl, passwordOf, isOurs: own !== undefined, save: secrets.save }),
    );
  } catch (error) {
    await own?.server.stop();
    throw error;
  }
  return {
    adminDatabaseUrl,
    databaseUrl: (role) => withCredentials(adminDatabaseUrl, role, passwordOf(role)),
    server: own?.server,
  };
}

async function startOwn(parts: ServerParts): Promise<{ server: Watched; url: string }> {
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
  const server = await stages.run('Postgres', () =>
    watch({
      name: 'postgres',
      start: () => startPostgres({ cluster, port, logFile }),
      stop: stopPostgres,
      onChange: (pid) => parts.processTable.note('postgres', pid),
      say: stages.say,
    }),
  );
  return { server, url: withCredentials(`postgres://127.0.0.1:${port}/${DATABASE}`, 'postgres', password()) };
}
