// References between records, checked under the practice's lock: against the own tables where the other record is the
// service's own, against what is known of the other service's records where it is not.

import { reject } from '@practice/core';
import type { Catalog, Command, Lookup, Relation, Resource } from '@practice/resource';
import type { LoadedContext } from '../write/lookup-context.js';

/** A resource among the others. */
export interface Place {
  readonly catalog: Catalog;
  readonly resource: Resource;
}

/** A command to the record with this id. */
interface Asked {
  readonly id: string;
  readonly command: Command;
}

/** What must be looked up before a command's references can be checked. */
export function referenceLookups(place: Place, { id, command }: Asked): Lookup[] {
  if (command.kind === 'delete') {
    return referrers(place).map(({ from, column }) => ({
      resource: from,
      column,
      values: [id],
      limit: 1,
    }));
  }
  return named(place, command).map(({ to, value }) => ({
    resource: to,
    column: 'id',
    values: [value],
  }));
}

/**
 * @throws {Rejection} 23503 when a command names a record there isn't, or deletes one that others name
 */
export function checkReferences(place: Place, { id, command }: Asked, context: LoadedContext): void {
  if (command.kind === 'delete') {
    for (const relation of referrers(place)) {
      if (context.rows(relation.from, relation.column, id).length > 0) {
        reject(stillReferenced(relation, id, place.resource.hintWhenReferenced));
      }
    }
    return;
  }
  for (const { value, ...relation } of named(place, command)) {
    if (context.rows(relation.to, 'id', value).length === 0) reject(notPresent(relation, value));
  }
}

const referrers = ({ catalog, resource }: Place): Relation[] =>
  catalog.relations.filter(({ to }) => to === resource.name);

function named(
  { catalog, resource }: Place,
  command: Exclude<Command, { kind: 'delete' }>,
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
