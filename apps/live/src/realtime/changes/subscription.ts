// One subscription to changes, which a client requests in the payload of its join.

import { catalog } from '@practice/contracts';
import { oncePer, type PracticeRole } from '@practice/core';
import { accessOf, isAllowed, visibleColumns } from '@practice/resource';
import type { Column, Resource, Row } from '@practice/resource';
import { type Condition, readFilter, SubscriptionError } from './filter.js';

const changeTypes = ['INSERT', 'UPDATE', 'DELETE'] as const;
type ChangeType = (typeof changeTypes)[number];

/** The changes that a client listens to. */
export interface Subscription {
  readonly types: ReadonlySet<ChangeType>;
  /** Null: every resource that the role reads. */
  readonly table: string | null;
  readonly conditions: readonly Condition[];
  /** The columns that the client selects; null for all. */
  readonly select: readonly string[] | null;
}

const SCHEMA = 'public';

/** The columns of a resource that changes contain and that a role sees. Changes never contain confidential columns. */
export function columnsFor(resource: Resource, role: PracticeRole): ReadonlyMap<string, Column> {
  const { hidden } = accessOf(resource, role);
  return new Map(
    visibleColumns(resource).filter(([name, { confidential }]) => confidential !== true && !hidden.has(name)),
  );
}

/** Whether callers with a role can listen to the records of a resource. */
export const isHeard = (resource: Resource | undefined, role: PracticeRole): resource is Resource =>
  resource !== undefined && isAllowed(resource, role, 'read') && accessOf(resource, role).of === undefined;

type Asked = Readonly<Partial<Record<'event' | 'schema' | 'table' | 'filter' | 'select', unknown>>>;

/**
 * Reads a subscription. A table or column that the role does not see is an error when the client subscribes.
 * @throws {SubscriptionError}
 */
export function readSubscription(
  { event, schema, table, filter, select }: Asked,
  role: PracticeRole,
): Subscription {
  if (![SCHEMA, '*'].includes(textOf(schema, SCHEMA))) return refused('unknown schema');
  const types = typesOf(textOf(event, '*'));
  const [name, conditions, columns] = [textOf(table, '*'), textOf(filter, ''), selected(select ?? null)];
  if (name === '*') {
    checkWildcard(conditions, columns);
    return { types, table: null, conditions: [], select: null };
  }
  const resource = catalog.resources.get(name);
  // The error does not show whether the resource does not exist or the role does not read it.
  if (!isHeard(resource, role)) return refused(`table ${shortened(name)} does not exist`);
  const seen = columnsFor(resource, role);
  checkSelected(columns, seen);
  return { types, table: name, conditions: readFilter(conditions, seen), select: columns };
}

function textOf(given: unknown, missing: string): string {
  if (given === undefined || given === null) return missing;
  return typeof given === 'string' ? given : refused('event, schema, table and filter must be texts');
}

function checkSelected(names: readonly string[] | null, seen: ReadonlyMap<string, Column>): void {
  const unknown = names?.find((name) => !seen.has(name));
  if (unknown !== undefined) throw new SubscriptionError(`invalid column for select ${shortened(unknown)}`);
}

function refused(reason: string): never {
  throw new SubscriptionError(`Unable to subscribe to changes: ${reason}`);
}

function checkWildcard(filter: string, select: readonly string[] | null): void {
  if (filter.trim() !== '') refused('a filter needs a table');
  if (select !== null)
    throw new SubscriptionError(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    );
}

function typesOf(event: string): ReadonlySet<ChangeType> {
  const wanted = event.toUpperCase();
  return new Set(changeTypes.filter((type) => wanted === '*' || wanted === type));
}

function selected(select: unknown): string[] | null {
  if (select === null) return null;
  if (!Array.isArray(select))
    throw new SubscriptionError('Error parsing `select` params: expected a list of column name strings');
  const names = select.filter((name) => typeof name === 'string');
  return names.length === 0 ? null : names;
}

/** A name, shortened for error messages: names in Postgres have at most 63 bytes. */
const shortened = (name: string): string => name.slice(0, 63);

// A change of a record, and the message about it for a subscriber.

/** A record before and after a change, as reads show it, without confidential columns; null if the record did not exist. */
export interface RecordChange {
  readonly resource: Resource;
  readonly before: Row | null;
  readonly after: Row | null;
  /** When the change was recorded: an instant in RFC 3339. */
  readonly at: string;
}

/** The type of a change; undefined if it both created and deleted the record. */
function typeOf({ before, after }: Pick<RecordChange, 'before' | 'after'>): ChangeType | undefined {
  if (before === null) return after === null ? undefined : 'INSERT';
  return after === null ? 'DELETE' : 'UPDATE';
}

/**
 * Whether a subscriber gets a change. Conditions are tested on the record after the change; for a deletion, on the record
 * before it. Each condition may take a millisecond or two.
 */
export function* isWanted(
  subscription: Subscription,
  change: RecordChange,
  role: PracticeRole,
): Generator<void, boolean> {
  if (!isAbout(subscription, change) || !isHeard(change.resource, role) || !isSeen(change, role))
    return false;
  const judged = change.after ?? change.before ?? {};
  for (const condition of subscription.conditions) {
    yield;
    if (!condition(judged)) return false;
  }
  return true;
}

function isAbout({ types, table }: Subscription, change: RecordChange): boolean {
  const type = typeOf(change);
  return type !== undefined && types.has(type) && (table === null || table === change.resource.name);
}

/** Whether the role sees the change: it does not if only columns changed that are hidden from the role. */
const isSeen = (change: RecordChange, role: PracticeRole): boolean =>
  derivedFrom(change).get(`seen by ${role}`, () => {
    const { resource, before, after } = change;
    if (before === null || after === null) return true;
    return [...columnsFor(resource, role).keys()].some((name) => !isSame(before[name], after[name]));
  });

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The `data` of a message about a change as JSON, in the format of Supabase. */
export const dataOf = (
  change: RecordChange,
  { select }: Pick<Subscription, 'select'>,
  role: PracticeRole,
): string =>
  derivedFrom(change).get(`data for ${role}: ${JSON.stringify(select)}`, () =>
    JSON.stringify(messageOf(change, select, role)),
  );

function messageOf(
  { resource, before, after, at }: RecordChange,
  select: Subscription['select'],
  role: PracticeRole,
): object {
  const seen = [...columnsFor(resource, role)].filter(([name]) => select === null || select.includes(name));
  const shown = (record: Row): Row =>
    Object.fromEntries(seen.map(([name]) => [name, record[name] ?? null])) as Row;
  return {
    schema: 'public',
    table: resource.name,
    type: typeOf({ before, after }),
    commit_timestamp: at,
    columns: seen.map(([name, column]) => ({ name, type: typeNameOf(column) })),
    ...(after === null ? {} : { record: shown(after) }),
    ...(before === null ? {} : { old_record: shown(before) }),
    errors: null,
  };
}

/** The maximum number of kept values. Clients may select any columns, and each selection makes a message as large as the record. */
const MOST_KEPT = 16;

/** Values of a change that many subscribers need, each computed once. */
class Derived {
  private readonly known = new Map<string, unknown>();

  get<T>(key: string, compute: () => T): T {
    if (this.known.has(key)) return this.known.get(key) as T;
    const value = compute();
    if (this.known.size < MOST_KEPT) this.known.set(key, value);
    return value;
  }
}

const derivedFrom = oncePer(new WeakMap<RecordChange, Derived>(), () => new Derived());

/** The internal names of types in Postgres, which clients expect, if they differ from the names in DDL. */
const typeNames: Readonly<Record<string, string>> = {
  integer: 'int4',
  bigint: 'int8',
  boolean: 'bool',
  decimal: 'numeric',
  timeOfDay: 'time',
  timestamp: 'timestamptz',
  json: 'jsonb',
  texts: '_text',
};

const typeNameOf = ({ kind }: Column): string => typeNames[kind.name] ?? kind.sqlType;
