import type { Pool, PoolClient } from 'pg';

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
  // The pool listens to idle connections only, and an error without a listener would end the process.
  client.on('error', discard);
  try {
    return await work(client, discard);
  } finally {
    client.off('error', discard);
    client.release(broken);
  }
}
