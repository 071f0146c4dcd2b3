import { schemaOf } from '@practice/core';
import { sql } from '@practice/log';
import type { CrossTenantConnection } from '../connections/cross-tenant-connection.js';

/** Counting more rows would cost more than the number is worth. */
const MOST_COUNTED = 10_000;

/** The number of events that wait for the stream, 10,000 if there are more, and the age of the oldest one, or 0. */
export async function outboxState(service: string, database: CrossTenantConnection) {
  const schema = `"${schemaOf(service)}"`;
  const [[events, seconds] = []] = await database.run(
    sql(`SELECT (SELECT count(*) FROM (SELECT FROM ${schema}.outbox LIMIT ${MOST_COUNTED}) AS waiting),
      coalesce((SELECT extract(epoch FROM clock_timestamp() - e.recorded_at)
        FROM (SELECT therapist_id, position FROM ${schema}.outbox ORDER BY id LIMIT 1) o
        JOIN ${schema}.events e USING (therapist_id, position)), 0)`),
  );
  return { events: Number(events), oldestSeconds: Number(seconds) };
}
