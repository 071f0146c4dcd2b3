import { isErased, joinPersonal, openedValues, type RecordedEvent } from '@practice/core';
import { logTable } from './log-table.js';
import type { ClientBase } from 'pg';

/** SQL for the events of a log with their personal values opened, as an item of FROM that must be named `e`. */
export const openedEvents = (service: string): string =>
  `(SELECT e.therapist_id, e.position, e.aggregate, e.stream_id, e.version, e.type, e.schema_version, e.metadata, e.recorded_at,
  ${openedValues('data')} AS data, ${openedValues('previous')} AS previous, ${isErased} AS erased
FROM ${logTable(service, 'events')} AS e ${joinPersonal(service)})`;

const recordedAt = `to_json(e.recorded_at) #>> '{}' AS "recordedAt"`;

/** SQL for the columns of an event `e`, named as `RecordedEvent` names them. */
export const eventColumns = `e.therapist_id AS "therapistId", e.position::float8 AS position, e.aggregate, e.stream_id AS "streamId",
   e.version, e.type, e.schema_version AS "schemaVersion", e.data, e.metadata,
   ${recordedAt}`;

const BATCH = 1000;

/** An event as a fold needs it: without the values before it, and without metadata. */
export type LoggedFact = Omit<RecordedEvent, 'therapistId' | 'previous' | 'metadata'>;

/** A practice's events in order, starting after a position. At most one batch is in memory. */
export async function* readLog(
  client: ClientBase,
  { service, therapistId, after }: { service: string; therapistId: string; after: number },
): AsyncGenerator<LoggedFact> {
  const read = {
    name: `read log of ${service}`,
    text: `SELECT e.position::float8 AS position, e.aggregate, e.stream_id AS "streamId", e.version, e.type,
       e.schema_version AS "schemaVersion", ${openedValues('data')} AS data, ${recordedAt}
     FROM ${logTable(service, 'events')} AS e ${joinPersonal(service)}
     WHERE e.therapist_id = $1 AND e.position > $2 ORDER BY e.position LIMIT ${BATCH}`,
  };
  for (let last: LoggedFact | undefined; ;) {
    const { rows } = await client.query<LoggedFact>({
      ...read,
      values: [therapistId, last?.position ?? after],
    });
    yield* rows;
    last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
  }
}

/** The practices of a log, each with its last position. */
export async function practicesOf(client: ClientBase, service: string): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; position: number }>(
    `SELECT therapist_id AS id, position::float8 AS position FROM ${logTable(service, 'practice_head')} WHERE position > 0 ORDER BY therapist_id`,
  );
  return new Map(rows.map(({ id, position }) => [id, position]));
}
