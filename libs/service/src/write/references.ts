// References between records, checked under the practice's lock: against the own tables where the other record is the
// service's own, against what is known of the other service's records where it is not.

import { reject } from '@practice/core';
import type { Command, Lookup, World } from '@practice/core';
import type { Catalog, Relation, Resource, Row } from '@practice/resource';

/** What must be looked up before a command's references can be checked. */
export function referenceLookups(
  catalog: Catalog,
  resource: Resource,
  command: Command<Row>,
  id: string,
): Lookup[] {
  if (command.kind === 'delete') {
    return referrers(catalog, resource).map(({ from, column }) => ({
      resource: from,
      column,
      values: [id],
      limit: 1,
    }));
  }
  return named(catalog, resource, command).map(({ to, value }) => ({
    resource: to,
    column: 'id',
    values: [value],
  }));
}

/**
 * @throws {Rejection} 23503 when a command names a record there isn't, or deletes one that others name
 */
export function checkReferences(
  catalog: Catalog,
  resource: Resource,
  command: Command<Row>,
  at: { id: string; world: World },
): void {
  if (command.kind === 'delete') {
    for (const relation of referrers(catalog, resource)) {
      if (at.world.rows<Row>(relation.from, relation.column, at.id).length > 0) {
        reject(stillReferenced(relation, at.id, resource.hintWhenReferenced));
      }
    }
    return;
  }
  for (const { value, ...relation } of named(catalog, resource, command)) {
    if (at.world.rows<Row>(relation.to, 'id', value).length === 0) reject(notPresent(relation, value));
  }
}

const referrers = (catalog: Catalog, resource: Resource): Relation[] =>
  catalog.relations.filter(({ to }) => to === resource.name);

function named(
  catalog: Catalog,
  resource: Resource,
  command: Exclude<Command<Row>, { kind: 'delete' }>,
): (Relation & { value: string })[] {
  if (command.kind === 'act') return [];
  const given = command.kind === 'create' ? command.record : command.changes;
  return catalog.relations
    .filter(({ from, column }) => from === resource.name && typeof given[column] === 'string')
    .map((relation) => ({ ...relation, value: given[relation.column] as string }));
}

const notPresent = ({ name, from, column, to }: Relation, value: string) => ({
  status: 409,
  code: '23503',
  message: `insert or update on table "${from}" violates foreign key constraint "${name}"`,
  details: `Key (${column})=(${value}) is not present in table "${to}".`,
});

const stillReferenced = ({ name, from, to }: Relation, id: string, hint: string | null = null) => ({
  status: 409,
  code: '23503',
  message: `update or delete on table "${to}" violates foreign key constraint "${name}" on table "${from}"`,
  details: `Key (id)=(${id}) is still referenced from table "${from}".`,
  hint,
});
