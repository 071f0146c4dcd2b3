// Rows that a service adds to a table of its own and never changes, as a resource that callers read. They are not records: they have
// no events, no history and no stored JSON. A past state has the rows that existed at that time.

import type { Resource, ResourceDefinition } from './resource.js';
import { checkRoleRules } from './roles.js';

/** A plain table. The resource and the table have the same name. The columns include `therapist_id`, `id` and, for past states, `at`. */
type PlainTable = Required<
  Pick<ResourceDefinition, 'name' | 'service' | 'description' | 'columns' | 'roles'>
>;

/**
 * The table as a resource, which the dialect reads like any other.
 * @throws {Error} if a column that every plain table needs is missing, or a role rule names an unknown column
 */
export function plainTable({ name, service, description, columns, roles }: PlainTable): Resource {
  for (const needed of ['therapist_id', 'id', 'at'])
    if (!(needed in columns)) throw new Error(`${name}.${needed}: missing column`);
  checkRoleRules({ name, columns, roles });
  return {
    ...{ name, service, aggregate: name, description, roles },
    columns: columns as never,
    events: {},
    versions: {},
    readOnly: true,
    isPlainTable: true,
  };
}

/** Whether a resource has no records of its own that are stored as JSON, because it is a history or a plain table. */
export const isView = ({ historyOf, isPlainTable }: Pick<Resource, 'historyOf' | 'isPlainTable'>): boolean =>
  historyOf !== undefined || isPlainTable === true;
