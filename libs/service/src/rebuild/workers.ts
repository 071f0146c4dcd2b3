import { availableParallelism } from 'node:os';
import { Client } from 'pg';

/** Connections that fold beside the first one: Postgres stores the rows of one practice while this process folds another. */
const workersOf = (cores: number): number => Math.min(8, Math.max(2, cores));

/**
 * Runs `work` with further connections of the schema's owner. Their commits need not be on disk before the tables are swapped: the
 * commit of the swap waits for all of them. A crash takes whole practices away, each with the note that it was folded.
 */
export async function withWorkers<T>(
  service: string,
  url: string,
  work: (workers: readonly Client[]) => Promise<T>,
): Promise<T> {
  const workers = Array.from(
    { length: workersOf(availableParallelism()) },
    () => new Client({ connectionString: url, application_name: `${service} fold`, statement_timeout: 0 }),
  );
  try {
    // A lost connection fails the statement that runs on it.
    for (const worker of workers) worker.on('error', () => undefined);
    await Promise.all(workers.map((worker) => worker.connect()));
    for (const worker of workers) await worker.query('SET synchronous_commit = off');
    return await work(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.end().catch(() => undefined)));
  }
}
