// A resource is defined once, as data. Validation, SQL, entities, migrations, row types, OpenAPI and routing follow from it.

import { column } from './column.js';
import type { Columns } from './column.js';
import { readEvents } from './event-versions.js';
import type { EventShapes } from './event-shapes.js';
import type { EventDefinitions, ShapesOf, Versions } from './event-versions.js';
import type { Problem } from '@practice/core';

/** A rule about many records, enforced by an index; `problem` is the error for a violation. */
export interface Unique {
  readonly name: string;
  /** Within a practice; the practice itself always comes first. */
  readonly columns: readonly string[];
  /** Only rows with these values count. */
  readonly where?: Where;
  readonly problem?: Omit<Problem, 'status'> & { readonly status?: number };
}

/** No two rows of a practice that agree on `equal` may overlap in the half-open span `from`–`to`. */
export interface Exclusion {
  readonly name: string;
  readonly equal?: readonly string[];
  readonly overlap: { readonly day?: string; readonly from: string; readonly to: string };
  /** Rows that agree on all of these (none of them null) do not exclude each other. */
  readonly unlessSame?: readonly string[];
  readonly where?: Where;
  readonly problem: Problem;
}

/** Column → the values it may have for a row to count. */
export type Where = Readonly<Record<string, readonly (string | boolean)[]>>;

export interface ResourceDefinition<
  Own extends Columns = Columns,
  Events extends EventDefinitions = EventDefinitions,
  Act extends string = string,
> {
  /** The public noun: plural, snake_case; also the read table's name. */
  readonly name: string;
  /** The service that owns it; also its schema. */
  readonly service: string;
  /** The category of its streams: singular. */
  readonly aggregate: string;
  readonly description: string;
  readonly columns: Own;
  /** Event types of the aggregate, each with the columns that its data hold and, once these have changed, its version. */
  readonly events: Events;
  /** Commands that only policies send, beside create, change and delete: `countVisit`. */
  readonly acts?: readonly Act[];
  readonly uniques?: readonly Unique[];
  readonly exclusions?: readonly Exclusion[];
  /** Further indexes, the practice first in each. */
  readonly indexes?: readonly (readonly string[])[];
  /** `false`: callers neither read nor write it through the data API. Its events are published all the same. */
  readonly isPublic?: boolean;
  /** Records cannot be changed or deleted: no PATCH, PUT or DELETE. */
  readonly appendOnly?: boolean;
  /** The hint of the error for deleting a record that others refer to. */
  readonly hintWhenReferenced?: string;
}

/** A definition with the columns every resource has. */
export interface Resource<
  Own extends Columns = Columns,
  Shapes extends EventShapes = EventShapes,
  Act extends string = string,
> extends Omit<ResourceDefinition, 'columns' | 'events' | 'acts'> {
  readonly columns: Own & StandardColumns;
  readonly events: Shapes;
  readonly versions: Versions;
  readonly acts?: readonly Act[];
}

const before = {
  id: column.uuid({
    required: true,
    readOnly: true,
    description: 'The id of the record. If omitted, the server makes a UUIDv7.',
  }),
  therapist_id: column.uuid({
    required: true,
    readOnly: true,
    description: 'The practice, which is the authenticated user.',
  }),
} as const;

const behind = {
  created_at: column.timestamp({
    required: true,
    readOnly: true,
    description: 'Time of creation. May be set on create, for imports.',
  }),
  updated_at: column.timestamp({
    required: true,
    readOnly: true,
    serverKept: true,
    description: 'Time of the last change, set by the server.',
  }),
} as const;

export type StandardColumns = typeof before & typeof behind;

/**
 * Defines a resource.
 * @throws {Error} naming `resource.column` when the definition refers to a column it does not have
 */
export function resource<
  const Own extends Columns,
  const Events extends EventDefinitions<keyof Own & string>,
  const Act extends string = never,
>(definition: ResourceDefinition<Own, Events, Act>): Resource<Own, ShapesOf<Own, Events>, Act> {
  const { name: resourceName, columns: own, events } = definition;
  const columns: Columns = { ...before, ...own, ...behind };
  for (const name of namedColumns(definition)) {
    if (!(name in columns)) throw new Error(`${resourceName}.${name}: unknown column`);
  }
  return {
    ...definition,
    ...readEvents(resourceName, own, events),
    columns: columns as Own & StandardColumns,
  };
}

function namedColumns({
  columns,
  uniques = [],
  exclusions = [],
  indexes = [],
}: Omit<ResourceDefinition, 'events'>): string[] {
  const rules = Object.values(columns).flatMap(({ after, requiredUnless }) => [after, requiredUnless]);
  return [
    ...rules,
    ...uniques.flatMap(({ columns: unique, where = {} }) => [...unique, ...Object.keys(where)]),
    ...exclusions.flatMap(({ equal = [], unlessSame = [], where = {}, overlap: { day, from, to } }) => [
      ...equal,
      ...unlessSame,
      ...Object.keys(where),
      ...[day, from, to],
    ]),
    ...indexes.flat(),
  ].filter((name) => name !== undefined);
}
