// References between records, checked under the practice's lock: a reference to the service's own records against their tables, a
// reference to another service's records against the mirror and the answers of their owner.

import { catalog } from '@practice/contracts';
import { problemFor, reject, type Problem } from '@practice/core';
import { matches, notAmong, notPresent } from '@practice/resource';
import type { Command, Lookup, Relation, Resource } from '@practice/resource';
import type { LoadedContext } from './lookup-context.js';

/** A command to the record with this id. */
interface Asked {
  readonly id: string;
  readonly command: Command;
}

/** More than the records of one decision, so that a lookup also finds a reference that the decision leaves in place. */
const AMONG_MANY = 5_001;

/**
 * The lookups that `checkReferences` needs.
 * @param isOneOfMany whether the decision is about other records too; these may be the records that refer to this one
 */
export function referenceLookups(
  resource: Resource,
  { id, command }: Asked,
  { isOneOfMany }: { readonly isOneOfMany: boolean },
): Lookup[] {
  if (command.kind === 'delete') {
    return ownReferrers(resource).map(({ from, column }) => ({
      resource: from,
      column,
      values: [id],
      limit: isOneOfMany ? AMONG_MANY : 1,
    }));
  }
  return [
    ...given(catalog.relations, resource, command).map(({ to, value }) => ({
      resource: to,
      column: 'id',
      values: [value],
    })),
    ...given(catalog.choices, resource, command).map(({ among, value }) => ({
      resource: among.resource,
      column: among.column,
      values: [value],
    })),
  ];
}

/**
 * Checks the references of a command. Other services check their own references to a record that is deleted: see the deletion barrier.
 * @throws {Rejection} 23503 when it refers to a record that does not exist or may not be chosen, or deletes one that the service refers to
 */
export function checkReferences(resource: Resource, { id, command }: Asked, context: LoadedContext): void {
  if (command.kind === 'delete') {
    for (const relation of ownReferrers(resource)) {
      if (context.rows(relation.from, relation.column, id).length > 0) reject(stillReferenced(relation, id));
    }
    return;
  }
  for (const { value, to, column } of given(catalog.relations, resource, command)) {
    if (context.rows(to, 'id', value).length === 0) reject(notPresent(column, to, value));
  }
  for (const { value, among, column } of given(catalog.choices, resource, command)) {
    if (context.rows(among.resource, among.column, value).some((row) => matches(among.where, row))) continue;
    reject(notAmong(column, among, value));
  }
}

/** Relations to a resource from the resources of a service. */
export const relationsFrom = (service: string, to: string): Relation[] =>
  catalog.relations.filter(
    (relation) => relation.to === to && catalog.resources.get(relation.from)?.service === service,
  );

/** The other services that may refer to a resource's records. */
export function referringServices(resource: Resource): string[] {
  const services = catalog.relations
    .filter(({ to }) => to === resource.name)
    .flatMap(({ from }) => catalog.resources.get(from)?.service ?? []);
  return [...new Set(services)].filter((service) => service !== resource.service);
}

const ownReferrers = ({ service, name }: Resource): Relation[] => relationsFrom(service, name);

/** The references and choices of a resource's columns that a command sets to a value. */
function given<T extends Pick<Relation, 'from' | 'column'>>(
  references: readonly T[],
  resource: Resource,
  command: Exclude<Command, { kind: 'delete' }>,
): (T & { value: string })[] {
  if (command.kind === 'act') return [];
  const values = command.kind === 'create' ? command.record : command.changes;
  return references
    .filter(({ from, column }) => from === resource.name && typeof values[column] === 'string')
    .map((reference) => ({ value: values[reference.column] as string, ...reference }));
}

/** The problem of a deletion of a record that other records refer to. */
export const stillReferenced = ({ from, column, to }: Relation, id: string): Problem =>
  problemFor('23503', {
    message: `the record of ${to} cannot be deleted: records of ${from} name it in ${column}`,
    details: `Key (id)=(${id}) is still referenced from table "${from}".`,
    hint: catalog.resources.get(to)?.hintWhenReferenced ?? null,
  });
