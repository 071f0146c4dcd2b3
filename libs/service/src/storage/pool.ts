import { Pool } from 'pg';

export interface PoolInput {
  readonly service: string;
  readonly url: string;
  readonly connections: number;
  /** Told when an idle connection breaks; the pool opens another when it needs one. */
  readonly onError: (error: Error) => void;
}

/** A serving process's connections, in pipeline mode: several statements on the wire of one at a time. */
export function openPool({ service, url, connections, onError }: PoolInput): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    // Whoever asks first after a while need not wait for a connection to be made.
    min: 1,
    application_name: service,
    pipeline: true,
    keepAlive: true,
    // Every statement finds its rows through an index that begins with the practice, so one plan serves all values:
    // left to itself, Postgres would plan statements with arrays anew each time.
    // Who waits longer for a practice's lock has a caller who was told by then that we are away.
    options: '-c plan_cache_mode=force_generic_plan -c lock_timeout=2500',
  });
  pool.on('error', onError);
  return pool;
}
