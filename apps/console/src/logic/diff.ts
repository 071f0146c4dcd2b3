// The differences of a change, for people.

export interface Difference {
  readonly column: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Values = Readonly<Record<string, unknown>> | null;
/** Columns that mean something to programs only. */
const HIDDEN = new Set(['id', 'therapist_id', 'created_at', 'starts_at', 'ends_at', 'seat', 'updated_at']);
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The differences of a row of a history. A creation has no `before`, a deletion no `after`. */
export function differencesOf(before: Values, after: Values): Difference[] {
  const columns = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return columns
    .filter((column) => !HIDDEN.has(column))
    .map((column) => ({ column, before: shown(before?.[column]), after: shown(after?.[column]) }))
    .filter((each) => each.before !== each.after);
}

function shown(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return UUID.test(value) ? `…${value.slice(-6)}` : value;
  return JSON.stringify(value);
}

/** `AppointmentRescheduled` as words: `Appointment rescheduled`. */
export function wordsOf(event: string): string {
  const words = event.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `start_time` as words: `start time`. */
export const labelOf = (column: string): string => column.replaceAll('_', ' ').replace(/ id$/, '');
