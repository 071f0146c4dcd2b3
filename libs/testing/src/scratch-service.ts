import { randomBytes } from 'node:crypto';
import { scratchDatabase, withClient, type ScratchDatabase } from './database.js';
import { stack } from './stack.js';

export interface ScratchService extends Pick<ScratchDatabase, 'connect' | 'drop'> {
  /** The name of the service, of its schema and of its request role. */
  readonly service: string;
  readonly adminUrl: string;
  /** The URL for one of its roles: the request role, or the role with this suffix. */
  readonly url: (suffix?: 'owner' | 'relay') => string;
}

/**
 * Creates a service without a process in a new database: its three roles, and its schema with these tables.
 * @param tables the DDL for a service with the given name; it runs as the schema's owner
 */
export async function scratchService(
  tables: (service: string) => readonly string[],
): Promise<ScratchService> {
  const database = await scratchDatabase();
  const service = `spec_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const roles = [service, `${service}_owner`, `${service}_relay`];
  await run(database.url, [
    ...roles.map((role) => `create role ${role} login noinherit password '${password}'`),
    `create schema ${service} authorization ${service}_owner`,
    `set role ${service}_owner`,
    ...tables(service),
  ]);
  return {
    service,
    adminUrl: database.url,
    connect: database.connect,
    url: (suffix) => {
      const url = new URL(database.url);
      url.username = suffix === undefined ? service : `${service}_${suffix}`;
      url.password = password;
      return url.href;
    },
    drop: async () => {
      // The database is dropped first: dropping tables that autovacuum or a closing connection uses can deadlock.
      await database.drop();
      await run(stack().adminDatabaseUrl, [`drop role ${roles.join(', ')}`]);
    },
  };
}

const run = (url: string, statements: readonly string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
