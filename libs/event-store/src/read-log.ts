import { isErased, joinPersonal, openedValues } from '@practice/core';
import { logTable } from './log-table.js';
import type { RecordedEvent } from '@practice/core';
import type { ClientBase } from 'pg';
import { epochOf } from './restorations.js';

/** SQL for events of a log, as an item of FROM that is to be called `e`: their personal values are opened. */
export const openedEvents = (service: string): string =>
  `(SELECT e.therapist_id, e.position, e.aggregate, e.stream_id, e.version, e.type, e.schema_version, e.metadata, e.recorded_at,
  ${openedValues('data')} AS data, ${openedValues('previous')} AS previous, ${isErased} AS erased
FROM ${logTable(service, 'events')} AS e ${joinPersonal(service)})`;

/** SQL for the columns of an event `e`, named as `RecordedEvent` names them. */
export const eventColumns = `e.therapist_id AS "therapistId", e.position::float8 AS position, e.aggregate, e.stream_id AS "streamId",
   e.version, e.type, e.schema_version AS "schemaVersion", e.data, e.metadata,
   to_json(e.recorded_at) #>> '{}' AS "recordedAt"`;

const BATCH = 1000;

/** A practice's events in order, starting after a position; with their epochs on request. At most one batch is in memory. */
export async function* readLog(
  client: ClientBase,
  log: { service: string; therapistId: string; after: number; withEpochs?: boolean },
): AsyncGenerator<RecordedEvent> {
  let after = log.after;
  const epoch = log.withEpochs === true ? `, ${epochOf(log.service)} AS epoch` : '';
  for (;;) {
    const { rows } = await client.query<RecordedEvent>(
      `SELECT ${eventColumns}${epoch} FROM ${openedEvents(log.service)} AS e
       WHERE therapist_id = $1 AND position > $2 ORDER BY position LIMIT ${BATCH}`,
      [log.therapistId, after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.position;
  }
}

/** The practices of a log, each with its last position. */
export async function practicesOf(client: ClientBase, service: string): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; position: number }>(
    `SELECT therapist_id AS id, position::float8 AS position FROM ${logTable(service, 'practice_head')} WHERE position > 0 ORDER BY therapist_id`,
  );
  return new Map(rows.map(({ id, position }) => [id, position]));
}
