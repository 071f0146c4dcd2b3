// The rows of a read table depend on the log and on the definition. After a change of the definition, rows that were written before
// lack a new column in their JSON, so the table is folded again. The comment of each table stores a hash of its definition.

import { createHash } from 'node:crypto';
import { entries, type LedgerRules, type Resource } from '@practice/resource';
import type { Client } from 'pg';
import { tablesOf } from '@practice/storage';

/** A hash of the parts of a definition that its rows depend on. */
function rowShape({ columns, events, versions, ledger }: Resource): string {
  const shape = {
    ...(ledger === undefined ? {} : { ledger: entered(ledger) }),
    columns: entries(columns).map(([name, { kind, default: fallback, internal }]) => [
      ...[name, kind.sqlType, fallback, internal],
    ]),
    events: Object.entries(events).map(([type, event]) => [type, event, versions[type]?.version]),
  };
  return createHash('sha256').update(JSON.stringify(shape)).digest('base64url').slice(0, 16);
}

/** The rules that ledger entries depend on. The order is that of earlier releases, so that the hash stays the same. */
const entered = ({ into, date, client, contributions }: LedgerRules): object => ({
  into,
  date,
  client,
  contributions,
});

const comment = (resource: Resource): string => `Rows of definition ${rowShape(resource)}`;

/** SQL that stores the hash of the definition in the comments of a resource's tables. */
export const rememberShape = (resource: Resource, service = resource.service): string =>
  tablesOf({ ...resource, service })
    .map((table) => `COMMENT ON TABLE ${table} IS '${comment(resource)}'`)
    .join('; ');

/** The resources whose tables exist but do not have the present definition in their comments. */
export async function staleTables(client: Client, resources: readonly Resource[]): Promise<Resource[]> {
  const { rows } = await client.query<{ name: string; comment: string | null }>(
    `SELECT t AS name, obj_description(to_regclass(t), 'pg_class') AS comment
     FROM unnest($1::text[]) AS t WHERE to_regclass(t) IS NOT NULL`,
    [resources.flatMap(tablesOf)],
  );
  const comments = new Map(rows.map(({ name, comment: stored }) => [name, stored]));
  return resources.filter((resource) => {
    const tables = tablesOf(resource);
    // A table that does not exist yet is skipped: its migration is still being written.
    const exist = tables.every((table) => comments.has(table));
    return exist && tables.some((table) => comments.get(table) !== comment(resource));
  });
}
