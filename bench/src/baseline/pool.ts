import pg from 'pg';

/** A statement that every connection of the pool prepares once. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}

/**
 * Connections as pg's documentation shows them, ten at most, with the service's setting for plans; only the statements
 * within one transaction go out together, for the service sends its own like that too.
 */
export const poolOf = (url: string): pg.Pool =>
  new pg.Pool({
    connectionString: url,
    pipeline: true,
    options: '-c plan_cache_mode=force_generic_plan',
  });

export const prepared = (name: string, text: string): Prepared => ({ name, text });
