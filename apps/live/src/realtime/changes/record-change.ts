// A change of a record, and its message for a subscriber.

import type { PracticeRole } from '@practice/core';
import type { Column, Resource, Row } from '@practice/resource';
import type { ChangeType, Subscription } from './subscription.js';
import { columnsFor, isHeard } from './subscription.js';

/** A record before and after a change, each as a read shows it, without confidential columns. Null: it did not exist. */
export interface RecordChange {
  readonly resource: Resource;
  readonly before: Row | null;
  readonly after: Row | null;
  /** When the change was recorded: an instant in RFC 3339. */
  readonly at: string;
}

/** The type of a change; undefined if it both created and deleted the record. */
export function typeOf({ before, after }: Pick<RecordChange, 'before' | 'after'>): ChangeType | undefined {
  if (before === null) return after === null ? undefined : 'INSERT';
  return after === null ? 'DELETE' : 'UPDATE';
}

/**
 * Whether a subscriber wants to hear of a change. Conditions judge the record as it is after the change; for a deletion, as it
 * was before. Each of them may take a millisecond or two.
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

/** A role does not hear of a change of columns that are hidden from it. */
const isSeen = (change: RecordChange, role: PracticeRole): boolean =>
  derivedFrom(change).get(`seen by ${role}`, () => {
    const { resource, before, after } = change;
    if (before === null || after === null) return true;
    return [...columnsFor(resource, role).keys()].some((name) => !isSame(before[name], after[name]));
  });

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The `data` of a message about a change as JSON, as Supabase sends it. */
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

/** Clients may select columns in any number of ways, and each way has a message as large as the record. */
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

const derived = new WeakMap<RecordChange, Derived>();

function derivedFrom(change: RecordChange): Derived {
  const known = derived.get(change) ?? new Derived();
  derived.set(change, known);
  return known;
}

/** Postgres' internal names of types, which clients expect, where DDL has others. */
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
