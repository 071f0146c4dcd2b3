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
 * was before.
 */
export function isWanted(subscription: Subscription, change: RecordChange, role: PracticeRole): boolean {
  const { types, table, conditions } = subscription;
  const type = typeOf(change);
  if (type === undefined || !types.has(type) || !isHeard(change.resource, role)) return false;
  if (table !== null && table !== change.resource.name) return false;
  const judged = change.after ?? change.before ?? {};
  return conditions.every((condition) => condition(judged)) && isSeen(change, role);
}

/** A role does not hear of a change of columns that are hidden from it. */
function isSeen({ resource, before, after }: RecordChange, role: PracticeRole): boolean {
  if (before === null || after === null) return true;
  return [...columnsFor(resource, role).keys()].some((name) => !isSame(before[name], after[name]));
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The `data` of a message about a change, as Supabase sends it. */
export function dataOf(
  { resource, before, after, at }: RecordChange,
  { select }: Pick<Subscription, 'select'>,
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
