import { scratchDatabase, withClient, type ScratchDatabase } from './database.js';
import { stack } from './stack.js';

export interface ScratchSchema extends Pick<ScratchDatabase, 'connect' | 'drop'> {
  readonly adminUrl: string;
  /** The URL of this database for a role of the running system (`clients`, `clients_owner`, …). */
  readonly url: (role: string) => string;
}

/** Creates the empty schema of an existing service in a new database, for tests of its tables without its processes. */
export async function scratchSchema(schema: string): Promise<ScratchSchema> {
  const { url: adminUrl, connect, drop } = await scratchDatabase();
  const { pathname } = new URL(adminUrl);
  await withClient(adminUrl, async (admin) => {
    await admin.query('create schema extensions');
    await admin.query('grant usage on schema extensions to public');
    for (const name of ['btree_gist', 'btree_gin', 'pg_trgm'])
      await admin.query(`create extension ${name} with schema extensions`);
    await admin.query(`alter database ${pathname.slice(1)} set search_path = ${schema}, extensions`);
    await admin.query(`create schema ${schema} authorization ${schema}_owner`);
    await admin.query(`grant create on database ${pathname.slice(1)} to ${schema}_owner`);
  });
  return {
    adminUrl,
    url: (role) => Object.assign(new URL(stack().databaseUrl(role)), { pathname }).href,
    connect,
    drop,
  };
}
