// A resource is defined once, as data. Validation, SQL, entities, migrations, row types, OpenAPI and routing are derived from it.

import { column, type Columns } from './column.js';
import { readEvents, type EventDefinitions, type ShapesOf, type Versions } from './event-versions.js';
import { type EventShapes, undoShapes, type UndoShapes } from './event-shapes.js';
import type { LedgerRules, TotalRules, NumberRules, Instants, Search } from './definition-parts.js';
import { checkPersonal } from './personal.js';
import { checkRoleRules, type RoleRules } from './roles.js';
import type { Lock, Where } from './where.js';
import type { PracticeRole, Problem } from '@practice/core';

/** A rule about many records, enforced by an index; `problem` is the error for a violation. */
export interface Unique {
  readonly name: string;
  /** The columns of the key after the practice, which always comes first. */
  readonly columns: readonly string[];
  /** Only rows with these values count. */
  readonly where?: Where;
  /** Records with the same value are looked up before the decision, so that a refusal names the record. Only for one column. */
  readonly isDecided?: true;
  readonly problem?: Omit<Problem, 'status'> & { readonly status?: number };
}

/** Two rows of a practice with equal `equal` and `equalOrNull` columns must not overlap in the half-open span `from`–`to`. */
export interface Exclusion {
  readonly name: string;
  readonly equal?: readonly string[];
  /** Null counts as equal to every value. */
  readonly equalOrNull?: readonly string[];
  readonly overlap: { readonly day?: string; readonly from: string; readonly to: string };
  /** Rows with equal values in all of these columns (none of them null) may overlap. */
  readonly unlessSame?: readonly string[];
  readonly where?: Where;
  readonly problem: Problem;
}

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
  /** Event types of the aggregate, each with the columns in its data and, if these have changed, its version. */
  readonly events: Events;
  /** Status → the statuses that a caller may set next, each with its event. */
  readonly transitions?: Readonly<Record<string, Readonly<Partial<Record<string, keyof Events & string>>>>>;
  /** Commands that only policies send, in addition to create, change and delete: `countVisit`. */
  readonly acts?: readonly Act[];
  readonly uniques?: readonly Unique[];
  readonly exclusions?: readonly Exclusion[];
  readonly instants?: Instants;
  /** Further indexes, the practice first in each. */
  readonly indexes?: readonly (readonly string[])[];
  readonly search?: Search<(keyof Own & string) | StandardColumn>;
  /** `false`: callers neither read nor write its records through the data API. Its events are still published. */
  readonly isPublic?: boolean;
  /** `false`: changes of its records cannot be undone, because they have effects other than records. */
  readonly isUndoable?: boolean;
  /** Records cannot be changed or deleted: no PATCH, PUT or DELETE. */
  readonly appendOnly?: boolean;
  /** The service itself creates the only record of a practice, and callers can only change it: no POST, PUT or DELETE. */
  readonly changeOnly?: boolean;
  /**
   * Every practice has one record from the start. It has the id of the practice. Before its first change, which stores it, every column
   * has its default. Only with `changeOnly`.
   */
  readonly fromStart?: true;
  /** Records that are final. Only functions of the service can change or delete them, and not callers, policies or an undo. */
  readonly locked?: Lock;
  /** Callers can only read its records. The service creates them, or derives them from other data. */
  readonly readOnly?: boolean;
  /** Callers may still delete its records. Only with `readOnly`. */
  readonly deletable?: true;
  /** Each read of its records, or of their history, is recorded in the access log of the service. */
  readonly confidential?: true;
  /** The maximum number of dependent commands of a command to one of its records: see `Decider.dependents`. */
  readonly mostDependents?: number;
  /**
   * Only for the resource whose single record is the practice itself: the columns with the time at which the closed practice will be
   * erased, and the time at which it was erased. Every service mirrors them, and becomes read-only or has no personal values accordingly.
   */
  readonly endOfPractice?: { readonly eraseAt: string; readonly erasedAt: string };
  /** Only for a resource whose records ask the services to erase a client: the column with the id of the client. */
  readonly erasesClient?: string;
  /** Only for a resource whose records are booked: each event is posted to the ledger. */
  readonly ledger?: LedgerRules<(keyof Own & string) | StandardColumn>;
  readonly numbered?: NumberRules<keyof Own & string>;
  /** Sums of its records that other records store. */
  readonly totals?: readonly TotalRules<keyof Own & string>[];
  /** Roles that may not write its records, but may write other records whose dependent commands set read-only columns of its records. */
  readonly derivedFor?: readonly PracticeRole[];
  /** Values in the documented examples, instead of the values that the columns suggest. */
  readonly example?: Readonly<Partial<Record<keyof Own & string, unknown>>>;
  /** The hint of the error for deleting a record that other records refer to. */
  readonly hintWhenReferenced?: string;
  /** The rights of roles that differ from the defaults: everything for owner and therapist, reading for read_only, nothing for the others. */
  readonly roles?: RoleRules<(keyof Own & string) | StandardColumn>;
}

/** A definition with the columns that every resource has. */
export interface Resource<
  Own extends Columns = Columns,
  Shapes extends EventShapes = EventShapes,
  Act extends string = string,
> extends Omit<ResourceDefinition, 'columns' | 'events' | 'acts'> {
  readonly columns: Own & StandardColumns;
  readonly events: Shapes;
  readonly versions: Versions;
  /** Only for a history: the resource whose events are the rows. A history has no table. */
  readonly historyOf?: Resource;
  /** Only for rows that the service adds to a table of its own, see `plainTable`. */
  readonly isPlainTable?: true;
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

type StandardColumn = keyof StandardColumns;

/** The columns of every resource. */
export const STANDARD_COLUMNS: readonly string[] = Object.keys({ ...before, ...behind });

/**
 * Defines a resource.
 * @throws {Error} naming `resource.column` if the definition refers to a column that it does not have
 */
export function resource<
  const Own extends Columns,
  const Events extends EventDefinitions<keyof Own & string>,
  const Name extends string,
  const Act extends string = never,
  const Undoable extends boolean = true,
>(
  definition: Named<ResourceDefinition<Own, Events, Act>, Name, Undoable>,
): Resource<Own, AllShapes<Name, ShapesOf<Own, Events>, Undoable>, Act> {
  const { name: resourceName, aggregate, columns: own, events, roles } = definition;
  const columns: Columns = { ...before, ...own, ...behind };
  for (const name of namedColumns(definition)) {
    if (!(name in columns)) throw new Error(`${resourceName}.${name}: unknown column`);
  }
  checkRoleRules({ name: resourceName, columns, roles });
  checkPersonal(resourceName, columns);
  if (definition.fromStart === true) checkFromStart(definition);
  const read = readEvents(resourceName, own, events);
  const undo = definition.isUndoable === false ? {} : undoShapes(aggregate, read.events);
  return {
    ...(definition as ResourceDefinition<Own, Events, Act>),
    versions: read.versions,
    events: { ...read.events, ...undo } as AllShapes<Name, ShapesOf<Own, Events>, Undoable>,
    columns: columns as Own & StandardColumns,
  };
}

function checkFromStart({ name, changeOnly, columns }: Omit<ResourceDefinition, 'events'>): void {
  if (changeOnly !== true) throw new Error(`${name} is there from the start, so callers can only change it`);
  for (const [column, { nullable, default: preset }] of Object.entries(columns))
    if (!nullable && preset === undefined) throw new Error(`${name}.${column} has no default`);
}

type Named<Definition, Name, Undoable> = Definition & {
  readonly aggregate: Name;
  readonly isUndoable?: Undoable;
};

/** The events of the definition, and the events that an undo needs. */
type AllShapes<Name extends string, Shapes extends EventShapes, Undoable> = Undoable extends false
  ? Shapes
  : Shapes & UndoShapes<Name, Shapes>;

function namedColumns({
  columns,
  uniques = [],
  exclusions = [],
  indexes = [],
  endOfPractice,
  erasesClient,
  locked,
}: Omit<ResourceDefinition, 'events'>): string[] {
  const rules = Object.values(columns).flatMap(
    ({ after, requiredUnless, personal, shares = [], copies = [], ...column }) => [
      ...[after, ...[requiredUnless ?? []].flat(), ...shares, personal?.of],
      ...copies.map((source) => source.split('.')[0]),
      ...[...(column.sumOf ?? []), ...(column.productOf ?? []), ...(column.percentOf ?? [])].map((name) =>
        name.replace(/^-/, ''),
      ),
    ],
  );
  return [
    ...rules,
    ...uniques.flatMap(({ columns: unique, where = {} }) => [...unique, ...Object.keys(where)]),
    ...exclusions.flatMap(
      ({ equal = [], equalOrNull = [], unlessSame = [], where = {}, overlap: { day, from, to } }) =>
        [equal, equalOrNull, unlessSame, Object.keys(where), day, from, to].flat(),
    ),
    ...indexes.flat(),
    ...Object.keys(locked?.where ?? {}),
    ...[endOfPractice?.eraseAt, endOfPractice?.erasedAt, erasesClient],
  ].filter((name) => name !== undefined);
}
