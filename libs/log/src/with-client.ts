import type { DatabaseError, Pool, PoolClient } from 'pg';
import { actToWrite, asSystem } from './acting.js';
import { pipeline } from './pipeline.js';
import { sql, type Statement } from './statement.js';
import type { TextRow } from './text-query.js';

/** Marks a connection as broken: it does not return to the pool. */
export type Discard = (error: Error) => void;

/**
 * Runs `work` with a connection of a pool. The connection returns to the pool unless it broke or `work` discarded it.
 * @throws the error of `work`, or the reason why no connection is available
 */
export async function withClient<T>(
  pool: Pool,
  work: (client: PoolClient, discard: Discard) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const discard: Discard = (error) => void (broken = error);
  // A connection that broke must not return, even if `work` has not noticed.
  client.on('error', discard);
  try {
    return await work(client, discard);
  } catch (error) {
    if (endsSession(error)) discard(error);
    throw error;
  } finally {
    client.off('error', discard);
    client.release(broken);
  }
}

/**
 * Whether Postgres ends the session after this error, or accepts no writes in it (25006): the server has become a standby, and a
 * new connection leads to the server that has taken over.
 */
const endsSession = (error: unknown): error is Error =>
  error instanceof Error &&
  ((error as Partial<DatabaseError>).severity === 'FATAL' ||
    (error as Partial<DatabaseError>).code === '25006');

/**
 * Runs statements that store for these practices, as the service itself, in one transaction and one round trip.
 * @returns the rows of the last statement
 */
export const storeAtOnce = (
  pool: Pool,
  practices: readonly string[],
  statements: readonly Statement[],
): Promise<TextRow[]> =>
  withClient(pool, async (client, discard) => {
    try {
      const all = [sql('BEGIN'), actToWrite(practices.map(asSystem)), ...statements, sql('COMMIT')];
      return (await pipeline(client, all)).at(-2) ?? [];
    } catch (error) {
      // Postgres rolls back when the connection ends.
      discard(error as Error);
      throw error;
    }
  });
