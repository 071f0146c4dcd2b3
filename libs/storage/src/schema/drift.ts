// Compares migrations, code and a live schema. The difference is the next migration or, in a test, drift. Schemas that exist only
// to be compared are made in a transaction that is rolled back, so a comparison leaves nothing behind.

import { withOpenClient, type Migration } from '@practice/log';
import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import { versionsName, type Resource } from '@practice/resource';
import type { Client } from 'pg';
import { describeSchema, type SchemaPart } from './describe-schema.js';
import { runsInTransaction } from './migrations.js';
import { schemaDiff, type FillOf } from './schema-diff.js';
import { serviceDdl, type SchemaParts } from './service-ddl.js';

/**
 * Compares the migrations of a service with its code and with its live schema.
 * @param url of the schema's owner
 */
export async function findDrift(
  parts: SchemaParts,
  { url, migrations, ddl }: { url: string; migrations: readonly Migration[]; ddl?: readonly string[] },
) {
  const schema = schemaOf(parts.service);
  const wanted = ddl ?? (await serviceDdl(parts, url));
  const config = { connectionString: url, application_name: `${parts.service} drift` };
  return withOpenClient(config, async (client) => {
    await client.query('BEGIN');
    const live = await describeSchema(client, schema);
    await client.query(`ALTER SCHEMA "${schema}" RENAME TO "${schema}_live"`);
    const made = await described(client, { schema, statements: migrations.map(inTransaction) });
    const asked = await described(client, { schema, statements: wanted });
    const names = { schema, fillOf: fillFrom(resourcesOf(parts.service)) };
    return {
      /** SQL that the migrations lack to make the tables that the code needs. */
      migrations: schemaDiff(names, { from: made, to: asked }),
      /** SQL that the live schema lacks to be the same as after the migrations. */
      live: schemaDiff(names, { from: live, to: made }),
    };
  });
}

/** Tables that are compared have no rows, so their indexes may be built within the transaction. */
const inTransaction = ({ sql }: Migration): string =>
  runsInTransaction(sql) ? sql : sql.replace(/\bCONCURRENTLY\b/gi, '');

/** Describes the schema that the statements make from an empty one. */
async function described(
  client: Client,
  { schema, statements }: { schema: string; statements: readonly string[] },
): Promise<SchemaPart[]> {
  await client.query(`SAVEPOINT empty; CREATE SCHEMA "${schema}"`);
  for (const statement of statements) await client.query(statement);
  const parts = await describeSchema(client, schema);
  await client.query('ROLLBACK TO SAVEPOINT empty');
  return parts;
}

/** The default of a column's definition, as SQL. */
const fillFrom =
  (resources: readonly Resource[]): FillOf =>
  (table, column) => {
    const resource = resources.find(({ name }) => name === table || versionsName(name) === table);
    const value = resource?.columns[column]?.default ?? undefined;
    if (value === undefined) return undefined;
    return `'${(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'`;
  };

/** The text of a migration file. */
export const migrationText = (statements: readonly string[]): string =>
  statements.map((statement) => `${statement};\n`).join('\n');
