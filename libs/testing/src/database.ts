import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { stack } from './stack.js';

export interface ScratchDatabase {
  /** URL of a superuser, in a database of its own. */
  readonly url: string;
  /** Opens a connection, as the superuser unless the URL has another user. `drop` ends it. */
  readonly connect: (url?: string, config?: pg.ClientConfig) => Promise<pg.Client>;
  /** Ends its connections and drops it. */
  readonly drop: () => Promise<void>;
}

/** An empty database on the running Postgres, for a spec that brings its own tables. */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const name = `scratch_${randomUUID().replaceAll('-', '')}`;
  const { adminDatabaseUrl } = stack();
  const asAdmin = (statement: string) =>
    withClient(adminDatabaseUrl, async (admin) => void (await admin.query(statement)));
  await asAdmin(`create database ${name}`);
  const url = new URL(adminDatabaseUrl);
  url.pathname = `/${name}`;
  const open: pg.Client[] = [];
  return {
    url: url.href,
    connect: async (connectionString = url.href, config = {}) => {
      const client = new pg.Client({ connectionString, ...config });
      open.push(client);
      await client.connect();
      return client;
    },
    drop: async () => {
      for (const client of open) await client.end();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Uses a connection, and closes it. */
export async function withClient<T>(
  connectionString: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
