// The differences of a change, as users see them.

import { instant } from './days.js';

export interface Difference {
  readonly column: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Values = Readonly<Record<string, unknown>> | null;
/** Columns that only programs need. */
const HIDDEN = new Set([
  'id',
  'therapist_id',
  'client_id',
  'created_at',
  'starts_at',
  'ends_at',
  'seat',
  'updated_at',
]);
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
type Names = ReadonlyMap<string, string>;

/**
 * The differences in a row of a history. A creation has no `before`, and a deletion has no `after`.
 * @param names of records, by id
 */
export function differencesOf(before: Values, after: Values, names: Names = new Map()): Difference[] {
  const columns = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (values: Values, column: string): string | null =>
    // In a new record, columns that are false, zero or empty are not shown.
    before === null && !values?.[column] ? null : shown(values?.[column], names);
  return columns
    .filter((column) => !HIDDEN.has(column))
    .map((column) => ({ column, before: text(before, column), after: text(after, column) }))
    .filter((each) => each.before !== each.after);
}

function shown(value: unknown, names: Names): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((each) => shown(each, names)).join(', ') || null;
  return typeof value === 'string' ? shownText(value, names) : JSON.stringify(value);
}

function shownText(value: string, names: Names): string {
  if (UUID.test(value)) return names.get(value) ?? `…${value.slice(-6)}`;
  if (HASH.test(value)) return `${value.slice(0, 12)}…`;
  return INSTANT.test(value) ? instant(value) : value;
}

interface Row {
  readonly event: string;
  readonly change_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** Joins the events of each change: the values before the first and after the last event. The newest change is first. */
export function changesIn<Each extends Row>(rows: readonly Each[]): Each[] {
  const changes: Each[] = [];
  for (const row of rows) {
    const newer = changes.at(-1);
    if (newer === undefined || newer.change_id === null || newer.change_id !== row.change_id) {
      changes.push(row);
      continue;
    }
    const after = newer.after && { ...(row.after as object | null), ...(newer.after as object) };
    const before = row.before && { ...(newer.before as object | null), ...(row.before as object) };
    changes[changes.length - 1] = { ...newer, event: row.event, before, after };
  }
  return changes;
}

/** `AppointmentRescheduled` as words: `Appointment rescheduled`. */
export function wordsOf(event: string): string {
  const words = event.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `start_time` as words: `start time`. */
export const labelOf = (column: string): string => column.replaceAll('_', ' ').replace(/ id$/, '');
