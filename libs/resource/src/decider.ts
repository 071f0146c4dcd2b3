// The rules of one aggregate as a pure function, typed by its definition. Without a type argument (`Decider`, `Command`)
// the types describe any resource: the generic write path uses those.

import type { Identity } from '@practice/core';
import type { Aggregate } from './aggregate.js';
import type { Acts, Changes, Draft, EventOf, Restored } from './facts.js';
import type { Resource } from './resource.js';
import type { Row, RowOf } from './row.js';

/** A request to create, change, delete or act on one record of a resource. */
export type Command<D = Resource> =
  | CreateCommand<D>
  | ChangeCommand<D>
  | { readonly kind: 'delete' }
  | Act<D>;

/** Creates a record. In an undo, it is the complete record before its deletion. */
export type CreateCommand<D = Resource> =
  | { readonly kind: 'create'; readonly record: Draft<D>; readonly isUndo?: false }
  | { readonly kind: 'create'; readonly record: RowOf<D>; readonly isUndo: true };

/**
 * Changes columns of a record. In an undo, the columns get their earlier values, so no column is left for the decider to fill. Values
 * that follow from them are computed again, but transitions to any earlier state are allowed.
 */
export type ChangeCommand<D = Resource> =
  | { readonly kind: 'change'; readonly changes: Changes<D>; readonly isUndo?: false }
  | { readonly kind: 'change'; readonly changes: Restored<D>; readonly isUndo: true };

/** A command that does not come from a caller's change of columns, such as `countVisit`. Only policies send it. */
type Act<D> = [Acts<D>] extends [never] ? never : { readonly kind: 'act'; readonly act: Acts<D> };

/** A command to another record of the same service that is part of the same change. */
export interface DependentCommand {
  readonly resource: string;
  readonly id: string;
  readonly command: Command;
}

/** A typed `DependentCommand`. */
export const dependent = <D extends Resource>(
  { name }: D,
  id: string,
  command: Command<D>,
): DependentCommand => ({
  resource: name,
  id,
  command: command as Command,
});

/** The commands that set these values in the records that have other values. */
export const changesOf = <D extends Resource>(
  definition: D,
  rows: readonly RowOf<D>[],
  changes: Changes<D>,
): DependentCommand[] =>
  (rows as readonly Row[])
    .filter((row) => Object.entries(changes as Row).some(([name, value]) => row[name] !== value))
    .map(({ id }) =>
      dependent(definition as Resource, String(id), { kind: 'change', changes: changes as Row }),
    );

/**
 * Whether a command only sets values that follow from other records: read-only columns, or records that callers only read. The caller
 * needs no right to the record. An undo of the change that the values follow from has such a command again. A copied value is the
 * record's own: only a command to the record sets it.
 */
export const isDerived = ({ readOnly, columns }: Resource, command: Command): boolean =>
  readOnly === true ||
  (command.kind === 'change' &&
    Object.keys(command.changes)
      .map((name) => columns[name])
      .every((column) => column?.readOnly === true && column.copies === undefined));

/** Whether a command gives one of these columns a value. */
export const sets = (command: Command<never> | Command, names: readonly string[]): boolean =>
  command.kind === 'create' || (command.kind === 'change' && names.some((name) => name in command.changes));

/** A command and the record before and after it: `before` is null for a new record, `after` for a deleted one. */
export interface Commanded<Asked, State> {
  readonly command: Asked;
  readonly before: State | null;
  readonly after: State | null;
}

/** A query for rows that a decision reads, owned or mirrored: all records of `resource` whose `column` is one of `values`. */
export interface Lookup {
  readonly resource: string;
  readonly column: string;
  readonly values: readonly string[];
  /** The maximum number of rows per value, if only their existence matters. */
  readonly limit?: number;
  /** Adds the values of this column in the rows that another lookup of the same command finds. */
  readonly through?: { readonly lookup: Lookup; readonly column: string };
}

/** The part of a definition that typed lookups need. */
export type Named = Pick<Resource, 'name' | 'columns'>;

/** A typed `Lookup`. Null finds nothing. */
export const lookup = <D extends Named>(
  { name }: D,
  column: keyof RowOf<D> & string,
  values: readonly (string | null | undefined)[],
): Lookup => ({ resource: name, column, values: values.filter((value) => value != null) });

/** A lookup by values that another lookup of the same command finds: the client of an invoice. */
export const lookupThrough = <D extends Named>(
  { name }: D,
  column: keyof RowOf<D> & string,
  through: NonNullable<Lookup['through']>,
): Lookup => ({ resource: name, column, values: [], through });

/** A lookup with the values of the rows that it goes through. */
export function resolved(
  { through, ...lookup }: Lookup,
  context: { rows(resource: string, column: string, value: string): readonly Row[] },
): Lookup {
  if (through === undefined) return lookup;
  const { resource, column, values } = through.lookup;
  const found = values
    .flatMap((value) => context.rows(resource, column, value))
    .map((row) => row[through.column]);
  return { ...lookup, values: [...lookup.values, ...found.filter((value) => value != null).map(String)] };
}

/** The data of a decision in addition to the command and the record. */
export interface LookupContext {
  /** The time of the command, ISO 8601 in UTC. Deciders have no clock of their own. */
  readonly now: string;
  /** The caller who sends the command; absent if a policy or the service itself sends it. */
  readonly by?: Identity;
  /**
   * Rows of a lookup in `lookups`, read under the practice's lock, with the changes that this request has made so far.
   * @throws {Error} if `lookups` does not have the lookup, which is a defect of the decider
   */
  rows<D extends Named>(definition: D, column: keyof RowOf<D> & string, value: string): readonly RowOf<D>[];
}

/**
 * The rules of one aggregate: a pure function from a command and the current state to events.
 * Folding events into the next state needs no code per aggregate, since the data of an event are columns of the record.
 */
export type Decider<D extends Aggregate = Resource> = DeciderOf<D, RowOf<D>, Command<D>, EventOf<D>>;

/** A decider by its parts, so that the compiler compares deciders by these parts and not by their definitions. */
export interface DeciderOf<Definition, State, Asked, Decided> {
  /** The definition of the records that are this aggregate's state. */
  readonly definition: Definition;
  /**
   * The unique keys and exclusions of the definition that `decide` never violates. Only the database checks all others, so it must
   * check each write of such a record before the next write of the practice is decided.
   */
  readonly enforces?: readonly string[];
  /**
   * Columns whose values follow from other records. In an undo they get the values that `decide` returns. Every other column gets its
   * logged value, even if `decide` computes another value.
   */
  readonly follows?: readonly string[];
  /** Everything that `decide` reads for this command; empty if it reads no other record. */
  lookups(command: Asked, state: State | null): readonly Lookup[];
  /**
   * @returns the events, in order; none if the command changes nothing
   * @throws {Rejection} if a rule forbids the command
   */
  decide(command: Asked, state: State | null, context: LookupContext): readonly Decided[];
  /**
   * The dependent commands of a caller's command, to other records of the service. Either all of the commands happen, or none. They are
   * decided after the command, or before a deletion, since they may concern records that refer to the deleted one. An undo takes back
   * the events of all records itself, so it has only the derived commands of a decider that `derives`. Rows come from `lookups`.
   * @throws {Rejection} if a rule forbids one of the commands
   */
  dependents?(commanded: Commanded<Asked, State>, context: LookupContext): readonly DependentCommand[];
  /** Whether some dependent commands are derived, so that an undo has them again: see `isDerived`. */
  readonly derives?: true;
  /**
   * The maximum number of dependent commands that a command can have, computed from the command only. A write with too many is refused
   * before its lookups run.
   * @throws {Rejection} if the command is malformed
   */
  mostDependents?(command: Asked): number;
}

// Deciders with a rule for each command, and without lookups.

interface CommandRules<D extends Resource> {
  readonly created: (record: CreateCommand<D>['record']) => readonly EventOf<D>[];
  readonly changed: (
    changes: ChangeCommand<D>['changes'],
    state: RowOf<D> | null,
    context: LookupContext,
  ) => readonly EventOf<D>[];
}

/** A decider with a rule for each command that is sent. */
export const deciding = <D extends Resource>(
  definition: D,
  { created, changed }: Partial<CommandRules<D>>,
): Decider<D> => ({
  definition,
  lookups: () => [],
  decide(command, state, context) {
    if (command.kind === 'create' && created !== undefined) return created(command.record);
    if (command.kind === 'change' && changed !== undefined) return changed(command.changes, state, context);
    throw new Error(`${definition.name} do not support ${command.kind}`);
  },
});
