// Rows and events as the service writes them. Postgres scripts put their own values in for @words.

import type { Booking } from '../calendar.js';

export type Row = Readonly<Record<string, unknown>>;

/** An appointment of a practice. */
export const rowOf = (practice: string, booking: Booking, { id, now }: { id: string; now: string }): Row => ({
  id,
  therapist_id: practice,
  ...booking,
  client_id: null,
  service_id: null,
  practitioner_id: null,
  allow_overlap: false,
  is_exception: false,
  seat: 0,
  created_at: now,
  updated_at: now,
});

/** A row of the table with its JSON beside it, ready to be written. */
export const recordJson = (row: Row, version: number | string): string =>
  JSON.stringify([{ ...row, version, _json: JSON.stringify(row) }]);

export interface Fact {
  readonly type: string;
  readonly id: unknown;
  readonly position: number | string;
  readonly version: number | string;
  readonly data: object;
}

/** A list of one event, ready to be appended. */
export function eventJson(
  { type, id, position, version, data }: Fact,
  { newId, now }: { newId: () => string; now: string },
): string {
  const request = newId();
  const metadata = {
    eventId: newId(),
    actor: { kind: 'user', id: newId(), name: 'practice-1@example.com' },
    sessionId: newId(),
    address: '127.0.0.1',
    requestId: request,
    correlationId: request,
    changeId: `scheduling:${position}`,
  };
  // A creation has no values from before.
  const previous = type === 'AppointmentScheduled' ? null : { status: 'scheduled' };
  // As the service sends it with a creation: the log then checks that the stream is not a living one.
  const lifecycle = type === 'AppointmentScheduled' ? { begins: true, endings: ['AppointmentDeleted'] } : {};
  return JSON.stringify([
    {
      position,
      aggregate: 'appointment',
      stream_id: id,
      version,
      type,
      schema_version: 1,
      data,
      metadata,
      previous,
      recorded_at: now,
      ...lifecycle,
    },
  ]);
}
