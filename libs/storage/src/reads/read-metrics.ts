import { counter, histogram } from '@practice/metrics';
import { isTracing, recordSpan } from '@practice/tracing';

/** Quick reads share connections. Slow reads have another connection. */
type Connection = 'shared' | 'slow';

const duration = histogram('practice_postgres_read_duration_seconds');
const replica = counter('practice_postgres_replica_reads_total');
const wait = histogram('practice_postgres_read_wait_seconds');

/**
 * Counts a read whose rows have arrived.
 * @param ms from sending the read to the arrival of its rows
 * @param parent `traceparent` of the span that it belongs to, if that is not the active one
 */
export function observeRead(connection: Connection, ms: number, parent?: string): void {
  duration.observe({ connection }, ms / 1000);
  if (!isTracing()) return;
  const end = Date.now();
  const attributes = { 'db.system.name': 'postgresql', 'practice.connection': connection };
  recordSpan('Postgres read', { kind: 'client', parent, attributes }, { start: end - ms, end });
}

/** Counts the time that a read waited before it was sent, in milliseconds. */
export function observeReadWait(connection: Connection, ms: number): void {
  wait.observe({ connection }, ms / 1000);
}

/** Counts a read that a replica may answer, by the server that does. */
export const observeReplica = (server: 'replica' | 'primary'): void => replica.inc({ server });
