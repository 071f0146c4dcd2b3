// Rows of a read table follow from the log and from the definition. After the definition has changed, rows that were written
// before lack a new column in their JSON, so the table is folded again. Each table remembers which definition it follows from.

import { createHash } from 'node:crypto';
import { entries } from '@practice/resource';
import type { Resource } from '@practice/resource';
import type { Client } from 'pg';
import { tableOf } from '../storage/tables.js';

/** A hash of the parts of a definition that rows follow from. */
function rowShape({ columns, events, versions }: Resource): string {
  const shape = {
    columns: entries(columns).map(([name, { kind, default: fallback, internal }]) => [
      ...[name, kind.sqlType, fallback, internal],
    ]),
    events: Object.entries(events).map(([type, event]) => [type, event, versions[type]?.version]),
  };
  return createHash('sha256').update(JSON.stringify(shape)).digest('base64url').slice(0, 16);
}

const comment = (resource: Resource): string => `Rows of definition ${rowShape(resource)}`;

/** SQL that makes a table remember the definition. */
export const rememberShape = (resource: Resource, service = resource.service): string =>
  `COMMENT ON TABLE ${tableOf({ ...resource, service })} IS '${comment(resource)}'`;

/** The resources whose tables have rows of another definition. */
export async function staleTables(client: Client, resources: readonly Resource[]): Promise<Resource[]> {
  const { rows } = await client.query<{ exists: boolean; comment: string | null }>(
    `SELECT to_regclass(t) IS NOT NULL AS exists, obj_description(to_regclass(t), 'pg_class') AS comment
     FROM unnest($1::text[]) WITH ORDINALITY AS u(t, place) ORDER BY place`,
    [resources.map(tableOf)],
  );
  return resources.filter((resource, index) => {
    // The migration of a new resource is written when its table does not exist yet.
    const { exists = false, comment: stored } = rows[index] ?? {};
    return exists && stored !== comment(resource);
  });
}
