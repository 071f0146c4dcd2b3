import { Pool } from 'pg';

export interface PoolInput {
  readonly service: string;
  readonly url: string;
  readonly connections: number;
  /** Called when an idle connection breaks. The pool opens another one when it needs it. */
  readonly onError: (error: Error) => void;
}

/** A serving process's connections, in pipeline mode: several statements on the wire of one at a time. */
export function openPool({ service, url, connections, onError }: PoolInput): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    // The first request after a pause does not wait for a new connection.
    min: 1,
    application_name: service,
    pipeline: true,
    keepAlive: true,
    // Every statement finds its rows through an index that begins with the practice, so one plan serves all values:
    // by default, Postgres would plan statements with arrays again each time.
    // A caller that waits longer for a practice's lock has been answered 503 by then.
    options: '-c plan_cache_mode=force_generic_plan -c lock_timeout=2500',
  });
  pool.on('error', onError);
  // The pool listens to idle connections only. One that breaks as it opens has no other listener yet.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
