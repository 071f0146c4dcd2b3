import { catalog } from '@practice/contracts';
import type { Statement } from '@practice/log';
import { personalOf } from '@practice/resource';
import { mirrorOf } from '@practice/storage';
import type { Erasing } from './erasing.js';

/** SQL that blanks the personal columns in the mirror of a service. `checkMirrored` ensures that only columns of clients are mirrored. */
export function blankMirror({ service, therapistId, client }: Erasing): Statement {
  const columns = [...catalog.resources.values()].flatMap((resource) =>
    (personalOf(resource)?.names ?? []).map((name) => ({ resource: resource.name, name })),
  );
  return {
    text: `UPDATE ${mirrorOf(service)} AS m SET data = m.data || (
  SELECT coalesce(jsonb_object_agg(c.name, NULL), '{}') FROM json_to_recordset($3::json) AS c(resource text, name text)
  WHERE c.resource = m.resource AND m.data ? c.name)
WHERE m.therapist_id = $1 AND m.data IS NOT NULL AND ${client === 'all' ? '$2::text IS NOT NULL' : 'm.id = $2::text::uuid'}
  AND m.resource IN (SELECT resource FROM json_to_recordset($3::json) AS c(resource text))`,
    values: [therapistId, client, JSON.stringify(columns)],
  };
}

/**
 * Checks that a service mirrors only those personal columns that an erasure finds by the id of the client: columns of the clients
 * themselves, to whose records its own records refer.
 * @param refers whether the service's records refer to records of a resource
 * @throws {Error} for any other personal column
 */
export function checkMirrored(
  service: string,
  mirrored: Readonly<Record<string, readonly string[]>>,
  refers: (resource: string) => boolean,
): void {
  for (const [name, columns] of Object.entries(mirrored)) {
    const resource = catalog.resources.get(name);
    const personal = resource && personalOf(resource);
    if (personal == null || !columns.some((column) => personal.names.includes(column))) continue;
    if (personal.of !== 'id' || !refers(name))
      throw new Error(`${service} mirrors personal columns of ${name}, which an erasure would not find`);
  }
}
