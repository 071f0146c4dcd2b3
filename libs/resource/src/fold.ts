// The state is the fold of a stream. Every aggregate folds in the same way, since the data of an event are columns of the record.

import { oncePer, type RecordedEvent } from '@practice/core';
import type { Columns } from './column.js';
import { upcast, versionOf } from './event-versions.js';
import type { Resource } from './resource.js';
import { entries, type Row } from './row.js';

/** The part of an event that the fold needs. An event without a version was just decided, so it has the current version. */
export type Fact = Pick<RecordedEvent, 'type' | 'data' | 'recordedAt'> &
  Partial<Pick<RecordedEvent, 'schemaVersion'>>;

/**
 * The record after one more event; null after its deletion. A column that was added to the definition later has its default in
 * earlier records, or null.
 * @throws {Error} if the resource does not have the event, or has an earlier version of it: the log and the definition do not match
 */
export function evolve(resource: Resource, state: Row | null, event: Fact): Row | null {
  const { type, schemaVersion = versionOf(resource, type) } = event;
  const shape = resource.events[type];
  if (shape === undefined) throw new Error(`${resource.name} has no event ${type}`);
  if (shape === 'deleted') return null;
  const { data } = upcast(resource, { type, data: event.data, schemaVersion });
  const before = shape === 'created' ? defaultsOf(resource.columns) : (state ?? defaultsOf(resource.columns));
  return Object.assign({}, before, data, { updated_at: event.recordedAt });
}

/** The default of each column, or null. */
export const defaultsOf = oncePer(new WeakMap<Columns, Row>(), (columns): Row =>
  Object.fromEntries(entries(columns).map(([name, column]) => [name, column.default ?? null])),
);
