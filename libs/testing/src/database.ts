import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { stack } from './stack.js';

export interface ScratchDatabase {
  /** URL of a superuser, in a database of its own. */
  readonly url: string;
  /** Ends its connections and drops it. */
  readonly drop: () => Promise<void>;
}

/** An empty database on the running Postgres, for a spec that brings its own tables. */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const name = `scratch_${randomUUID().replaceAll('-', '')}`;
  const { adminDatabaseUrl } = stack();
  await asAdmin(adminDatabaseUrl, `create database ${name}`);
  const url = new URL(adminDatabaseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => asAdmin(adminDatabaseUrl, `drop database if exists ${name} with (force)`),
  };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
