// What the definitions ask of the database that it does not have yet: the next migration, or, in a test, drift.

import type { Resource } from '@practice/resource';
import type { DataSource } from 'typeorm';
import { protectTable } from './protect.js';

/** SQL that would bring the read tables to what the definitions say; empty when they agree. */
export async function schemaChanges(
  dataSource: DataSource,
  resources: readonly Resource[],
): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  const schema = String((dataSource.options as { schema?: string }).schema);
  const covered = await protectedTables(dataSource, schema);
  const missing = resources.filter(({ name }) => !covered.has(name));
  return [
    ...upQueries.map(({ query }) => query).filter((query) => !query.startsWith('CREATE SCHEMA')),
    ...missing.flatMap((resource) => protectTable(resource, schema)),
  ];
}

/** Tables that carry the practice policy. */
async function protectedTables(dataSource: DataSource, schema: string): Promise<Set<string>> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND p.polname = 'own_practice' AND c.relrowsecurity`,
    [schema],
  );
  return new Set(rows.map(({ name }) => name));
}
