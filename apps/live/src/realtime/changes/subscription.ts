// One subscription to changes, as a client asks for it in the payload of its join.

import type { PracticeRole } from '@practice/core';
import { accessOf, isAllowed, visibleColumns } from '@practice/resource';
import type { Catalog, Column, Resource } from '@practice/resource';
import { readFilter, SubscriptionError } from './filter.js';
import type { Condition } from './filter.js';

export const changeTypes = ['INSERT', 'UPDATE', 'DELETE'] as const;
export type ChangeType = (typeof changeTypes)[number];

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

/** The columns of a resource that travel in changes and that a role sees. Confidential ones never travel. */
export function columnsFor(resource: Resource, role: PracticeRole): ReadonlyMap<string, Column> {
  const { hidden } = accessOf(resource, role);
  return new Map(
    visibleColumns(resource).filter(([name, { confidential }]) => confidential !== true && !hidden.has(name)),
  );
}

/** Whether callers can listen to the records of a resource in a role. */
export const isHeard = (resource: Resource | undefined, role: PracticeRole): resource is Resource =>
  resource !== undefined && isAllowed(resource, role, 'read');

interface Asked {
  readonly event?: unknown;
  readonly schema?: unknown;
  readonly table?: unknown;
  readonly filter?: unknown;
  readonly select?: unknown;
}

/**
 * Reads a subscription. A table or a column that the role does not see is an error as soon as the client subscribes, not silence.
 * @throws {SubscriptionError}
 */
export function readSubscription(
  { event, schema, table, filter, select }: Asked,
  { resources }: Pick<Catalog, 'resources'>,
  role: PracticeRole,
): Subscription {
  if (![SCHEMA, '*'].includes(textOf(schema, SCHEMA))) return refused('unknown schema');
  const types = typesOf(textOf(event, '*'));
  const [name, conditions, columns] = [textOf(table, '*'), textOf(filter, ''), selected(select ?? null)];
  if (name === '*') {
    checkWildcard(conditions, columns);
    return { types, table: null, conditions: [], select: null };
  }
  const resource = resources.get(name);
  // A resource that the role does not read is as unknown as one that does not exist.
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

/** A name as an error may repeat it: Postgres' names have at most 63 bytes. */
const shortened = (name: string): string => name.slice(0, 63);
