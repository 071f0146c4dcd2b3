import { availableParallelism } from 'node:os';
import { openClient } from '@practice/log';
import type { Client } from 'pg';

/** The number of connections that fold besides the first one. Postgres stores one practice while this process folds another. */
const workersOf = (cores: number): number => Math.min(8, Math.max(2, cores));

/**
 * Runs `work` with more connections of the schema's owner. Their commits need not be on disk before the tables are swapped, since the
 * commit of the swap waits for all of them. If Postgres crashes, practices are lost only as a whole, with the note that they are folded.
 */
export async function withWorkers<T>(
  service: string,
  url: string,
  work: (workers: readonly Client[]) => Promise<T>,
): Promise<T> {
  const config = { connectionString: url, application_name: `${service} fold`, statement_timeout: 0 };
  const opening = Array.from({ length: workersOf(availableParallelism()) }, () => openClient(config));
  const workers = (await Promise.allSettled(opening)).flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  );
  try {
    await Promise.all(opening);
    for (const worker of workers) await worker.query('SET synchronous_commit = off');
    return await work(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.end().catch(() => undefined)));
  }
}
