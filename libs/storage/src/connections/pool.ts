import { makePool } from '@practice/log';
import type { Pool } from 'pg';

export interface PoolInput {
  readonly service: string;
  readonly url: string;
  readonly connections: number;
  /** Called when an idle connection breaks. The pool opens another one when it needs it. */
  readonly onError: (error: Error) => void;
}

/**
 * Opens a serving process's connections, in pipeline mode: a connection may have several statements on the wire. Their settings
 * belong to the role, because PgBouncer passes on no settings of a connection.
 */
export function openPool({ service, url, connections, onError }: PoolInput): Pool {
  const config = {
    connectionString: url,
    max: connections,
    // The first request after a pause does not wait for a new connection.
    min: 1,
    application_name: service,
    pipeline: true,
  };
  return makePool(config, onError);
}
