// The next events of several practices at a time, to be published again.

import { grouped, type RecordedEvent } from '@practice/core';
import type { ClientBase } from 'pg';
import { logTable } from './log-table.js';
import { eventColumns, openedEvents } from './read-log.js';
import { epochOf, type Restoration } from './restorations.js';

/** A place in a practice's log. */
export interface Place {
  readonly therapistId: string;
  /** The position of the next event. */
  readonly next: number;
}

/** A part of a practice's log. */
export interface LogPart {
  readonly therapistId: string;
  readonly events: readonly RecordedEvent[];
  /** The restorations that the part begins with or contains, oldest first. */
  readonly restorations: readonly Restoration[];
  /** Where the next part begins. */
  readonly next: number;
  /** Whether the log has no later event. */
  readonly isLast: boolean;
}

/** The number of events in all parts together. Each practice gets at least one event. */
const BATCH = 1024;

/** Reads the next part of each of these practices, in one statement: the fewer practices, the longer the parts. */
export async function readParts(
  client: ClientBase,
  service: string,
  places: readonly Place[],
): Promise<LogPart[]> {
  if (places.length === 0) return [];
  const limit = Math.ceil(BATCH / places.length);
  const ids = places.map(({ therapistId }) => therapistId);
  const { rows: events } = await client.query<RecordedEvent>({
    name: 'parts',
    text: `SELECT ${eventColumns}, ${epochOf(service)} AS epoch FROM unnest($1::uuid[], $2::bigint[]) AS place (id, next)
     CROSS JOIN LATERAL (SELECT * FROM ${openedEvents(service)} AS e
       WHERE e.therapist_id = place.id AND e.position >= place.next ORDER BY e.position LIMIT $3) AS e
     ORDER BY e.therapist_id, e.position`,
    values: [ids, places.map(({ next }) => next), limit],
  });
  const { rows: restorations } = await client.query<Restoration>({
    name: 'restorations of parts',
    text: `SELECT therapist_id AS "therapistId", epoch::float8 AS epoch, after::float8 AS after
     FROM ${logTable(service, 'restorations')} WHERE therapist_id = ANY ($1::uuid[]) ORDER BY therapist_id, epoch`,
    values: [ids],
  });
  const [eventsOf, restorationsOf] = [byPractice(events), byPractice(restorations)];
  return places.map(({ therapistId, next }) => {
    const own = eventsOf.get(therapistId) ?? [];
    const end = (own.at(-1)?.position ?? next - 1) + 1;
    const isLast = own.length < limit;
    // A restoration at the end belongs to the next part, if there is one.
    const told = (restorationsOf.get(therapistId) ?? []).filter(
      ({ after }) => after >= next - 1 && (isLast || after < end - 1),
    );
    return { therapistId, events: own, restorations: told, next: end, isLast };
  });
}

const byPractice = <T extends { readonly therapistId: string }>(rows: readonly T[]): Map<string, T[]> =>
  grouped(rows.map((row) => [row.therapistId, row]));
