import { schemaOf } from '@practice/core';
import { ownPracticeOnly } from '@practice/event-store';
import type { Resource } from '@practice/resource';
import { tableOf } from './tables.js';

/** Row-level security and rights of the request role on a read table. What TypeORM can't say about a table, said beside it. */
export function protectTable(resource: Resource, schema = schemaOf(resource.service)): string[] {
  const table = tableOf({ service: schema, name: resource.name });
  return [
    ...ownPracticeOnly({ schema, role: schemaOf(resource.service) }, resource.name),
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO "${schemaOf(resource.service)}"`,
  ];
}
