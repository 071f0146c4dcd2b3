import type { Pool, PoolClient } from 'pg';

/** Says that a connection is no use to the next one who would get it. */
export type Spoil = (error: Error) => void;

/**
 * Lends a connection of a pool for as long as `work` takes. One that broke meanwhile, or that `work` spoilt, does not go back.
 * @throws what `work` throws, or why there is no connection to be had
 */
export async function withClient<T>(
  pool: Pool,
  work: (client: PoolClient, spoil: Spoil) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const spoil: Spoil = (error) => void (broken = error);
  // The pool listens to idle connections only; an error that nobody listens to would end the process.
  client.on('error', spoil);
  try {
    return await work(client, spoil);
  } finally {
    client.off('error', spoil);
    client.release(broken);
  }
}
