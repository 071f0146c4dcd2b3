// The intents of a write: one per record, decided one after another.

import { type Identity, problemFor, reject } from '@practice/core';
import { accessOf, checkRecord, entries, isDetached, isFixed, lockOf } from '@practice/resource';
import type { Command, Decider, Resource, Row, Value } from '@practice/resource';
import type { Versioned } from '@practice/storage';

export interface Intent {
  readonly id: string;
  readonly command: Command;
  readonly state: Row | null;
  readonly version: number;
  /** The `updated_at` that the caller sent, if the record has another one: it has changed since the caller read it. */
  readonly readAt?: string;
  /** The change that it takes back. */
  readonly undoes?: string;
  /** Given if the service itself makes a change that callers cannot ask for. */
  readonly decider?: Decider;
}

/**
 * A change of a record, reduced to the columns whose values differ.
 * @throws {Rejection} the error of a final record, 428C9 for another `id` or `created_at`, or what `checkRecord` throws
 */
export function changeOf(resource: Resource, values: Row, { row, version }: Versioned): Intent {
  checkUnlocked(resource, row);
  const changes: Record<string, Value> = {};
  let readAt: string | undefined;
  for (const [name, column] of entries(resource.columns)) {
    const value = values[name];
    if (value === undefined || isDetached(column)) continue;
    if (isSame(value, row[name]) && !isInstead(resource, name, values)) continue;
    if (column.serverKept === true && typeof value === 'string') readAt = value;
    else if (isFixed(column)) reject(fixed(name));
    else changes[name] = value;
  }
  // Checked before a decider sees the record, because its rules expect a record that fits its definition.
  checkRecord(resource, { ...row, ...changes }, { before: 'change', replaced: row });
  const command = { kind: 'change', changes } as const;
  return { id: String(row['id']), command, state: row, version, ...(readAt === undefined ? {} : { readAt }) };
}

export const deletionOf = ({ row, version }: Versioned): Intent => ({
  id: String(row['id']),
  command: { kind: 'delete' },
  state: row,
  version,
});

/** Whether there is nothing to decide, because the record already has all the values. */
export const changesNothing = ({ command }: Intent): boolean =>
  command.kind === 'change' && Object.keys(command.changes).length === 0;

const isSame = (one: Value, other: Value | undefined): boolean =>
  one === other || (typeof one === 'object' && one !== null && JSON.stringify(one) === JSON.stringify(other));

/**
 * Whether a computed value is sent in place of the columns that it follows from. Then the rules must see it even if it is stored: a
 * stored instant may be of an earlier time zone.
 */
function isInstead({ columns }: Resource, name: string, values: Row): boolean {
  if (columns[name]?.computed !== true) return false;
  const replaced = entries(columns).filter(([, { requiredUnless }]) =>
    [requiredUnless].flat().includes(name),
  );
  return replaced.length > 0 && replaced.every(([each]) => values[each] == null);
}

/** @throws {Rejection} when the record is final */
export function checkUnlocked(resource: Resource, record: Row | null): void {
  const locked = lockOf(resource, record);
  if (locked !== undefined) reject(locked);
}

/** @throws {Rejection} 42501 when the caller's role writes only records that name the caller, or the error of a final record */
export function checkWritable(resource: Resource, record: Row | null, by: Identity | undefined): void {
  const of = by === undefined ? undefined : accessOf(resource, by.practiceRole).of;
  if (of !== undefined && record !== null && ![record[of]].flat().includes(by?.userId ?? null))
    reject(anothers(resource.name));
  checkUnlocked(resource, record);
}

/** The role writes only records that name the caller. */
const anothers = (name: string) =>
  problemFor('42501', { message: `your role writes only those records of ${name} that name you` });

/** As Postgres words it for a generated column. */
const fixed = (column: string) =>
  problemFor('428C9', { message: `column "${column}" can only be updated to the value it has` });
