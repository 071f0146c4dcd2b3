// The events of a practice's log as an undo reads them.

import type { ChosenChanges } from '@practice/contracts';
import type { RecordedEvent, Steps } from '@practice/core';
import { listsOf, logTable, openedEvents, type Statement, type TextRow } from '@practice/log';
import type { Row } from '@practice/resource';
import type { PracticeLog } from '../engine/group/resumable.js';

/** An event with the values that it replaced. */
export interface LoggedEvent extends Omit<RecordedEvent, 'therapistId' | 'epoch' | 'data'> {
  readonly data: Row;
  /** Null for the first event of a record. */
  readonly previous: Row | null;
  /** Whether personal values of the event were erased. */
  readonly erased: boolean;
}

const EVENT = `json_build_object('position', e.position, 'aggregate', e.aggregate, 'streamId', e.stream_id, 'version', e.version,
  'type', e.type, 'schemaVersion', e.schema_version, 'data', e.data, 'previous', e.previous, 'metadata', e.metadata, 'recordedAt', e.recorded_at, 'erased', e.erased)`;

const CHANGE = `e.metadata->>'changeId'`;

/** The events that a statement below has found. */
export function* readEvents(rows: readonly TextRow[]): Steps<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (const [text] of rows) {
    events.push(JSON.parse(text ?? 'null') as LoggedEvent);
    yield;
  }
  return events;
}

/**
 * The events of changes, the newest first. The events of a change follow each other in the log, beginning at its position.
 * `OFFSET 0` keeps both bounds together for the index: Postgres would otherwise compare every event of the log with the wanted changes.
 */
export const eventsOfChanges = (
  { service, therapistId }: PracticeLog,
  changes: readonly { readonly id: string; readonly position: number }[],
  limit: number,
): Statement => ({
  text: `SELECT ${EVENT} FROM unnest($2::text[], $3::bigint[]) AS wanted(id, position), LATERAL (
  SELECT coalesce((
    SELECT o.position FROM ${logTable(service, 'events')} AS o
    WHERE o.therapist_id = $1 AND o.position > wanted.position AND o.metadata->>'changeId' IS DISTINCT FROM wanted.id
    ORDER BY o.position LIMIT 1), 9223372036854775807) AS position OFFSET 0
) AS next, LATERAL (
  SELECT e.* FROM ${openedEvents(service)} AS e
  WHERE e.therapist_id = $1 AND e.position >= wanted.position AND e.position < next.position AND ${CHANGE} = wanted.id OFFSET 0
) AS e ORDER BY e.position DESC LIMIT $4`,
  values: [therapistId, ...listsOf(changes, 'id', 'position'), limit],
});

/** The changes of a user or a token within a time. */
export type ByActor = Omit<Extract<ChosenChanges, { kind: 'actor' }>, 'kind'>;

/** The events of an actor, and of all undos since then, which may have taken some of them back; the newest first. */
export const eventsOfActor = (
  { service, therapistId }: PracticeLog,
  { id, name, oauthClientId, since, until }: ByActor,
  limit: number,
): Statement => ({
  text: `WITH RECURSIVE ${boundaryBefore(service)}
SELECT ${EVENT} FROM ${openedEvents(service)} AS e
WHERE e.therapist_id = $1 AND e.position > (SELECT max(low) FROM boundary) AND e.recorded_at >= $2::timestamptz AND ${CHANGE} IS NOT NULL
  AND (${ACTOR} OR e.metadata->>'undoes' IS NOT NULL)
ORDER BY e.position DESC LIMIT $7`,
  values: [therapistId, since, until, id, name, oauthClientId, limit],
});

/** The clocks of processes differ by less than this. Apart from that, events are in the order of their times. */
const CLOCKS_DIFFER = `interval '1 hour'`;

/**
 * Finds a position before the first event since $2 by halving the log, so that a long log needs neither an index by time nor a
 * scan. Every event up to `low` is older.
 */
const boundaryBefore = (service: string): string => `boundary(low, high) AS (
  SELECT 0::bigint, (SELECT position FROM ${logTable(service, 'practice_head')} WHERE therapist_id = $1)
  UNION ALL
  SELECT CASE WHEN is_older THEN middle ELSE low END, CASE WHEN is_older THEN high ELSE middle - 1 END
  FROM (SELECT low, high, (low + high + 1) / 2 AS middle FROM boundary WHERE low < high) AS half, LATERAL (
    SELECT (SELECT o.recorded_at < $2::timestamptz - ${CLOCKS_DIFFER} FROM ${logTable(service, 'events')} AS o
      WHERE o.therapist_id = $1 AND o.position = half.middle) AS is_older
  ) AS compared
)`;

/** Reactions of policies follow what they reacted to, so they have no actor of their own. */
const ACTOR = `(e.recorded_at < coalesce($3::timestamptz, 'infinity') AND e.metadata #>> '{actor,kind}' IN ('user', 'token')
  AND (e.metadata #>> '{actor,id}' = $4::text OR e.metadata #>> '{actor,name}' = $5::text
    OR e.metadata ->> 'oauthClientId' = $6::text))`;

/** Whether `ACTOR` finds an event. */
export function isBy(
  { id, name, oauthClientId, until }: ByActor,
  { metadata: { actor, oauthClientId: client }, recordedAt }: LoggedEvent,
): boolean {
  const isNamed =
    (id !== null && actor.id === id) ||
    (name !== null && actor.name === name) ||
    (oauthClientId !== null && client === oauthClientId);
  const isPerson = actor.kind === 'user' || actor.kind === 'token';
  return isNamed && isPerson && (until === null || Date.parse(recordedAt) < Date.parse(until));
}

/** The later events of a stream that a conflict is about. */
export interface LaterChanges {
  readonly event: Pick<LoggedEvent, 'aggregate' | 'streamId' | 'version'>;
  /** For each column, the last event with a value for it is found. Without columns, the last event of all is found. */
  readonly columns: readonly string[];
  /** The types of events that delete a record, and so concern every column. */
  readonly deletions: readonly string[];
  /** Changes to ignore. */
  readonly except: readonly string[];
  /** Whether to ignore what policies changed. */
  readonly exceptPolicies?: boolean;
}

const NO_POLICY = `
    AND e.metadata #>> '{actor,kind}' IS DISTINCT FROM 'policy'`;

/** The last events after a version: the column, or null, then the event as `readEvents` reads it. */
export const lastChanges = (
  { service, therapistId }: PracticeLog,
  {
    event: { aggregate, streamId, version },
    columns,
    deletions,
    except,
    exceptPolicies = false,
  }: LaterChanges,
): Statement => ({
  text: `SELECT wanted.name, last.event FROM unnest($5::text[]) AS wanted(name), LATERAL (
  SELECT ${EVENT} AS event FROM ${openedEvents(service)} AS e
  WHERE e.therapist_id = $1 AND e.stream_id = $2 AND e.aggregate = $3 AND e.version > $4
    AND (wanted.name IS NULL OR e.data ? wanted.name OR e.type = ANY ($6::text[]))
    AND coalesce(${CHANGE}, '') <> ALL ($7::text[])${exceptPolicies ? NO_POLICY : ''}
  ORDER BY e.version DESC LIMIT 1
) AS last`,
  values: [
    ...[therapistId, streamId, aggregate, version],
    ...[columns.length === 0 ? [null] : columns, deletions, except],
  ],
});
