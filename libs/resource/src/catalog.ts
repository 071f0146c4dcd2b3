// Who owns what, and what refers to what. Read once at load, so a definition that doesn't fit fails at start.

import type { Resource } from './resource.js';

/** A reference between two resources, seen from the side that holds the column. */
export interface Relation {
  /** Named as Postgres would name the foreign key. */
  readonly name: string;
  readonly from: string;
  readonly column: string;
  readonly to: string;
}

/** Whether callers reach the resource through the data API. */
export const isPublic = ({ isPublic }: Pick<Resource, 'isPublic'>): boolean => isPublic !== false;

export interface Catalog {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly relations: readonly Relation[];
}

/**
 * Reads definitions into a catalog.
 * @throws {Error} when two resources share a name or a column refers to a resource there isn't
 */
export function catalogOf(definitions: readonly Resource[]): Catalog {
  const resources = new Map(definitions.map((definition) => [definition.name, definition]));
  if (resources.size !== definitions.length) throw new Error('two resources have the same name');
  const relations = definitions.flatMap(relationsOf);
  for (const { from, column, to } of relations) {
    if (!resources.has(to)) throw new Error(`${from}.${column} refers to ${to}, which is no resource`);
  }
  return { resources, relations };
}

function relationsOf(resource: Resource): Relation[] {
  return Object.entries(resource.columns).flatMap(([column, { references }]) =>
    references === undefined
      ? []
      : [{ name: `${resource.name}_${column}_fkey`, from: resource.name, column, to: references }],
  );
}
