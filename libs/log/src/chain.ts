// The chain of a practice's log: each event stores a SHA-256 over the hash of its predecessor and over its own columns as
// Postgres stores them. The hash is computed from the row itself, in Postgres' binary format, so no setting of a session
// (time zone, date style, digits) changes it.

import { schemaOf } from '@practice/core';

/**
 * The columns that every hash covers. They never change: an older event would get another hash. So a column that is added to the log
 * later must be covered only where it has a value.
 */
export const coveredColumns: readonly string[] = [
  'therapist_id',
  'position',
  'aggregate',
  'stream_id',
  'version',
  'type',
  'schema_version',
  'recorded_at',
  'data',
  'metadata',
  'previous',
];

/** SQL for the bytes of an event that its hash covers: Postgres' binary format of a row, which has the length of each value. */
export const contentOf = (table: string): string =>
  `record_send(ROW(${coveredColumns.map((name) => `${table}.${name}`).join(', ')}))`;

/** SQL for the hash of an event. @param before SQL for the hash of its predecessor; the first event follows no bytes */
export const hashOf = (before: string, table: string): string => `sha256(${before} || ${contentOf(table)})`;

/**
 * SQL for the hashes of events that follow each other, as a window function: each practice's events in order.
 * @param before SQL for the hash that precedes the practice's first event
 */
export const hashesOf = (service: string, before: string, table: string): string =>
  `"${schemaOf(service)}".chain(${before}, ${contentOf(table)}) OVER (PARTITION BY ${table}.therapist_id ORDER BY ${table}.position)`;
