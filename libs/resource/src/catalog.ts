// The owner of each resource, and the references between resources. Definitions are read once at load, so an invalid one fails at start.

import { accessLogOf, isConfidential } from './access-log.js';
import { historyName, historyOf } from './history.js';
import type { Among } from './among.js';
import type { Resource } from './resource.js';

/** A reference between two resources, seen from the side with the column. */
export interface Relation {
  /** The name that Postgres would give the foreign key. */
  readonly name: string;
  readonly from: string;
  readonly column: string;
  readonly to: string;
  /**
   * The column at the other end; the id if absent. If several records have the value, a read follows the relation to the newest. Reads
   * follow such a relation only from this side.
   */
  readonly there?: string;
}

/** A column whose value must be one of the values of another resource's column when it is set, but not later. */
export interface Choice {
  /** The name that Postgres would give the foreign key. */
  readonly name: string;
  readonly from: string;
  readonly column: string;
  readonly among: Among;
}

/** Whether callers reach the resource through the data API. */
export const isPublic = ({ isPublic }: Pick<Resource, 'isPublic'>): boolean => isPublic !== false;

/** The HTTP methods that callers may use on the records of a resource. */
export function methodsOf(
  resource: Pick<Resource, 'appendOnly' | 'changeOnly' | 'readOnly' | 'deletable'>,
): readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] {
  const { appendOnly, changeOnly, readOnly, deletable } = resource;
  if (readOnly === true) return deletable === true ? ['GET', 'HEAD', 'DELETE'] : ['GET', 'HEAD'];
  if (appendOnly === true) return ['GET', 'HEAD', 'POST'];
  if (changeOnly === true) return ['GET', 'HEAD', 'PATCH'];
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
}

export interface Catalog {
  readonly resources: ReadonlyMap<string, Resource>;
  /** References. Every write keeps them valid. */
  readonly relations: readonly Relation[];
  /** References that are valid when a record is written, but perhaps not later. */
  readonly choices: readonly Choice[];
  /** Everything that callers read: the resources, the history of each, the plain tables and the access logs. */
  readonly readable: ReadonlyMap<string, Resource>;
  /** Every relation that a read can follow: references, columns such as `practitioner_id`, and between a record and its history. */
  readonly links: readonly Relation[];
}

/**
 * Reads definitions into a catalog.
 * @param tables made by `plainTable`
 * @throws {Error} if two resources have the same name, or a column refers to an unknown resource
 */
export function catalogOf(definitions: readonly Resource[], tables: readonly Resource[] = []): Catalog {
  const resources = new Map(definitions.map((definition) => [definition.name, definition]));
  if (resources.size !== definitions.length) throw new Error('two resources have the same name');
  const relations = definitions.flatMap(relationsOf);
  for (const { from, column, to } of relations) {
    if (!resources.has(to)) throw new Error(`${from}.${column} refers to ${to}, which is not a resource`);
  }
  const choices = definitions.flatMap(choicesOf);
  for (const { from, column, among } of choices) {
    const names = Object.keys(resources.get(among.resource)?.columns ?? {});
    for (const name of [among.column, ...Object.keys(among.where)])
      if (!names.includes(name))
        throw new Error(`${from}.${column} refers to ${among.resource}.${name}, which there is not`);
  }
  const views = [...definitions.map(historyOf), ...tables, ...accessLogs(definitions)];
  return {
    resources,
    relations,
    choices,
    readable: new Map([...resources, ...views.map((view) => [view.name, view] as const)]),
    links: [...relations, ...choices.flatMap(choiceLink(resources)), ...definitions.map(historyRelation)],
  };
}

/** The access logs of the services that own confidential records. */
function accessLogs(definitions: readonly Resource[]): Resource[] {
  const services = new Set(definitions.filter(isConfidential).map(({ service }) => service));
  if (services.size > 1) throw new Error(`two services have an access log: ${[...services].join(', ')}`);
  return [...services].map(accessLogOf);
}

function relationsOf(resource: Resource): Relation[] {
  return Object.entries(resource.columns).flatMap(([column, { references }]) =>
    references === undefined
      ? []
      : [{ name: `${resource.name}_${column}_fkey`, from: resource.name, column, to: references }],
  );
}

const choicesOf = ({ name: from, columns }: Resource): Choice[] =>
  Object.entries(columns).flatMap(([column, { among }]) =>
    among === undefined ? [] : [{ name: `${from}_${column}_fkey`, from, column, among }],
  );

/** The relation of a column such as `practitioner_id` to a record of another service: `practitioner`. Other columns have none. */
const choiceLink =
  (resources: ReadonlyMap<string, Resource>) =>
  ({ from, column, among: { resource: to, column: there } }: Choice): Relation[] =>
    column.endsWith('_id') && resources.get(from)?.service !== resources.get(to)?.service
      ? [{ name: column.slice(0, -'_id'.length), from, column, to, there }]
      : [];

/** The relation from the history of a resource to its records. */
const historyRelation = ({ name }: Resource): Relation => ({
  name: `${historyName(name)}_id_fkey`,
  from: historyName(name),
  column: 'id',
  to: name,
});

// Replaced versions of records are in a table beside each read table. Past states are read from both tables.

/** Whether the replaced versions of the records are kept, so that callers can read past states of all records that they can read. */
export const keepsVersions = (resource: Pick<Resource, 'isPublic'>): boolean => isPublic(resource);

/** The name of the table of replaced versions. */
export const versionsName = (resource: string): string => `${resource}_versions`;

/** The column with the instant at which the version was replaced by another version, or deleted. */
export const REPLACED_AT = 'replaced_at';
