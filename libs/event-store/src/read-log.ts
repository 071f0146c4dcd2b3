import { logTable } from './log-table.js';
import type { RecordedEvent } from '@practice/core';
import type { ClientBase } from 'pg';

/** SQL for the columns of an event, named as `RecordedEvent` names them. */
export const eventColumns = (table: string): string =>
  `${table}.therapist_id AS "therapistId", ${table}.position::float8 AS position, ${table}.aggregate, ${table}.stream_id AS "streamId",
   ${table}.version, ${table}.type, ${table}.schema_version AS "schemaVersion", ${table}.data, ${table}.metadata,
   to_json(${table}.recorded_at) #>> '{}' AS "recordedAt"`;

const BATCH = 1000;

/** A practice's events in order, starting after a position. At most one batch is in memory. */
export async function* readLog(
  client: ClientBase,
  log: { service: string; therapistId: string; after: number },
): AsyncGenerator<RecordedEvent> {
  let after = log.after;
  for (;;) {
    const { rows } = await client.query<RecordedEvent>(
      `SELECT ${eventColumns('e')} FROM ${logTable(log.service, 'events')} e
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
