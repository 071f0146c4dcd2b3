// Makes a decider from a definition. It takes the events of the definition for each kind of command, so the rules only describe
// their checks, computed values and lookups.

import { reject, type Event } from '@practice/core';
import { balanceLookups, balancesAfter } from './account-balances.js';
import { callerLookups, withCaller } from './caller.js';
import type { ChangeCommand, Command, CreateCommand, Decider, Lookup, LookupContext } from './decider.js';
import { changedEvents, eventTypeWith, type EventChoice } from './events.js';
import type { Changes, Draft, EventOf } from './facts.js';
import { STANDARD_COLUMNS, type Resource } from './resource.js';
import { entries, pickBy, type Row, type RowOf } from './row.js';
import { followed, followedLookups, hasFollowing } from './following.js';
import { numberLookups, numberTaken } from './numbering.js';
import { checkNeeds, neededLookups } from './needs.js';
import { sharingOf } from './shared-columns.js';
import { type Asked, withTaken } from './taking.js';
import { totalLookups, totalsAfter } from './totals.js';

type Names<D> = readonly (keyof RowOf<D> & string)[];

/** Values to set, or all events of the command. */
type Outcome<D> = Partial<RowOf<D>> | readonly EventOf<D>[];

/** The rules of records in addition to their definition. Each function may reject the command. */
export interface RecordRules<D extends Resource> extends Partial<
  Pick<Decider<D>, 'enforces' | 'follows' | 'derives' | 'dependents' | 'mostDependents'>
> {
  /** Columns that only the rules set in a new record. Callers may change them later. */
  readonly kept?: Names<D>;
  /** For each column that several event types have: which event type a value leads to. */
  readonly choice?: EventChoice<D>;
  /** Further lookups. @param next the record after the command, or the record that the command deletes */
  lookups?(next: RowOf<D>, command: Command<D>): readonly Lookup[];
  /** Checks the record after a creation or a change. */
  check?(next: RowOf<D>, context: LookupContext, command: Command<D>): void;
  /** @returns values in addition to the values of the new record; undefined for none */
  create?(record: Draft<D>, context: LookupContext, isUndo: boolean): Outcome<D> | undefined;
  /** @returns the values to set instead of the values of the command */
  change?(state: RowOf<D>, change: Changed<D>, context: LookupContext): Outcome<D>;
  /** @returns events instead of the deletion event; undefined for the deletion event */
  remove?(state: RowOf<D>, context: LookupContext): readonly EventOf<D>[] | undefined;
}

/** A change of a record, and whether it is part of an undo. */
export interface Changed<D> {
  readonly changes: Changes<D>;
  readonly isUndo: boolean;
}

/**
 * The decider of a resource with these rules. Only the server sets the read-only columns of a new record. Columns that a record
 * `shares` with another record have the values of the other record.
 * @throws {Error} if the resource has no event for one of its commands
 */
export function deciderOf<D extends Resource>(definition: D, rules: RecordRules<D> = {}): Decider<D> {
  return erased(definition, rules as unknown as Rules) as unknown as Decider<D>;
}

/** The rules without the types of the definition. */
interface Rules extends Omit<RecordRules<Resource>, 'create' | 'change' | 'remove'> {
  create?(record: Row, context: LookupContext, isUndo: boolean): Made | undefined;
  change?(state: Row, change: Changed<Resource>, context: LookupContext): Made;
  remove?(state: Row, context: LookupContext): readonly Event[] | undefined;
}

type Made = Row | readonly Event[];

function erased(definition: Resource, rules: Rules): Decider {
  const [sharing, unset] = [sharingOf(definition), leftToServer(definition, rules)];
  const eventsOf = standardEvents(definition, rules);
  return {
    ...rules,
    definition,
    enforces: [...(rules.enforces ?? []), ...numberKeys(definition)],
    lookups(command, state) {
      const next = nextOf(command, state);
      if (next === null) return [];
      const own = rules.lookups?.(next, command) ?? [];
      return [...sharing.lookups(command, next), ...own, ...derivedLookups(definition, command, next)];
    },
    ...derivedDependents(definition, rules),
    decide(command, state, context) {
      const asked = nextOf(command, state);
      const shared = asked && sharing.filled(command, asked, context);
      const next = shared && filledBy(definition, { command, state, next: shared }, context);
      if (next !== null && command.kind !== 'delete') rules.check?.(next, context, command);
      if (isNew(command)) checkLeft(definition, command.record, unset);
      const place = { state, next, context };
      const made = madeBy(rules, command, place);
      return Array.isArray(made)
        ? (made as Event[])
        : eventsOf(
            command,
            next,
            completed(definition, command, { ...place, made: made as Row | undefined }),
          );
    },
  };
}

const isNew = (command: Command): command is CreateCommand & { readonly isUndo?: false } =>
  command.kind === 'create' && command.isUndo !== true;

/**
 * The record after a command, or the record that it deletes, with the values that the definition fills before the rules run.
 * @throws {Rejection} for a caller, a record or an amount that the definition does not allow
 */
function filledBy(definition: Resource, { command, state, next }: Asked, context: LookupContext): Row {
  const record = isNew(command) ? withCaller(definition, next, context) : next;
  checkNeeds(definition, { command, record }, context);
  return withTaken(definition, { command, state, next: record }, context);
}

/** The values of the rules or of the command, and the values that follow from these. */
function completed(
  definition: Resource,
  command: Command,
  { state, next, context, made }: Place & { readonly made: Row | undefined },
): Row | undefined {
  if (next === null || command.kind === 'delete' || !hasFollowing(definition)) return made;
  const set = made ?? (command.kind === 'change' ? command.changes : {});
  const left = { ...(command.kind === 'change' ? state : next), ...set };
  const following = followed(definition, { command, state, next: left }, context);
  const changed = pickBy(following, (name, value) => value !== state?.[name]);
  return Object.assign(
    pickBy(set, (name) => !(name in following)),
    changed,
  );
}

/** The dependent commands of the rules, and the derived commands that update numbers, sums and balances. An undo repeats the derived ones. */
function derivedDependents(definition: Resource, { dependents }: Rules): Partial<Decider> {
  const { totals, numbered, ledger } = definition;
  if (totals === undefined && numbered === undefined && ledger?.balances === undefined) return {};
  return {
    derives: true,
    dependents: (commanded, context) => [
      ...(dependents?.(commanded, context) ?? []),
      ...numberTaken(definition, commanded, context),
      // Before the sums: the command of a sum may change the same balances, and starts from their new values.
      ...balancesAfter(definition, commanded, context),
      ...totalsAfter(definition, commanded, context),
    ],
  };
}

/** The lookups for everything that the definition derives. */
const derivedLookups = (definition: Resource, command: Command, next: Row): Lookup[] => [
  ...callerLookups(definition, command),
  ...neededLookups(definition, command, next),
  ...followedLookups(definition, command, next),
  ...numberLookups(definition, next),
  ...totalLookups(definition, next),
  ...balanceLookups(definition, next),
];

interface Place {
  readonly state: Row | null;
  readonly next: Row | null;
  readonly context: LookupContext;
}

/** The values or events that the rules of a resource return. */
function madeBy(rules: Rules, command: Command, { state, next, context }: Place): Made | undefined {
  switch (command.kind) {
    case 'create':
      return rules.create?.(next as Row, context, command.isUndo === true);
    case 'change': {
      const asked = { changes: command.changes, isUndo: command.isUndo === true };
      return rules.change && (state === null ? [] : rules.change(state, asked, context));
    }
    case 'delete':
      return state === null ? undefined : rules.remove?.(state, context);
    case 'act':
      throw new Error(`the rules have no ${command.act}`);
  }
}

/** A function that turns a command into the event of the definition with the same meaning. */
function standardEvents(definition: Resource, { choice }: Rules) {
  const [created, deleted] = [eventTypeWith(definition, 'created'), eventTypeWith(definition, 'deleted')];
  const needsDeletion = definition.appendOnly !== true && definition.readOnly !== true;
  if (created === undefined || (deleted === undefined && needsDeletion))
    throw new Error(`${definition.name} has no event for every kind of command`);
  const changed = changedEvents as (of: Resource, changes: Row, choice?: object) => Event[];
  return (command: Command, next: Row | null, made: Row | undefined): readonly Event[] => {
    if (command.kind === 'create') return [{ type: created, data: { ...next, ...made } }];
    if (command.kind === 'change') return changed(definition, made ?? kept(definition, command), choice);
    return deleted === undefined ? [] : [{ type: deleted, data: {} }];
  };
}

/** The values of a change. Null asks the rules for a value. If they return none, the column does not change. */
const kept = ({ columns }: Resource, { changes, isUndo }: ChangeCommand): Row =>
  pickBy(
    changes,
    (name, value) => isUndo === true || value !== null || columns[name]?.requiredUnless === undefined,
  );

/** The unique keys of a number without gaps. */
const numberKeys = ({ uniques = [], numbered }: Resource): string[] =>
  uniques.filter(({ columns: [column] }) => column === numbered?.column).map(({ name }) => name);

/** The record after a command, or the record that the command deletes. */
function nextOf(command: Command, state: Row | null): Row | null {
  if (command.kind === 'create') return command.record;
  return command.kind === 'change' && state !== null ? { ...state, ...command.changes } : state;
}

/** The columns of a new record that only the server sets. Computed columns are not included, since a caller may repeat their values. */
function leftToServer({ columns, changeOnly, readOnly }: Resource, { kept = [] }: Rules) {
  if (changeOnly === true || readOnly === true) return kept;
  const others = entries(columns).filter(
    ([name, { readOnly: isKept, computed, caller }]) =>
      isKept === true && computed !== true && caller === undefined && !STANDARD_COLUMNS.includes(name),
  );
  return [...kept, ...others.map(([name]) => name)];
}

/** Checks that a new record has no values in columns that the server sets. @throws {Rejection} 428C9, with the message of Postgres */
function checkLeft({ columns }: Resource, record: Row, names: readonly string[]): void {
  for (const name of names)
    if ((record[name] ?? null) !== (columns[name]?.default ?? null))
      reject('428C9', {
        message: `cannot insert a non-DEFAULT value into column "${name}"`,
        details: 'The server sets it.',
      });
}
