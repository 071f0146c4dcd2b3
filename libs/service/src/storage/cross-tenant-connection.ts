import { BY_KEY, makePool, run, withClient } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import type { Pool } from 'pg';

/** A connection as the relay's role, which stores events of all practices: row-level security does not limit it to one. */
export class CrossTenantConnection {
  private readonly pool: Pool;

  /** @param onError called when an idle connection breaks; the next statement opens another one */
  constructor(service: string, url: string, onError: (error: Error) => void) {
    const config = {
      connectionString: url,
      max: 1,
      application_name: `${service} follower`,
      // One plan for any number of records.
      options: `-c plan_cache_mode=force_generic_plan -c statement_timeout=10000 ${BY_KEY}`,
    };
    this.pool = makePool(config, onError);
  }

  run(statement: Statement): Promise<TextRow[]> {
    return withClient(this.pool, async (client, discard) => {
      try {
        return await run(client, statement);
      } catch (error) {
        // The error may mean that the connection is about to end.
        discard(error as Error);
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
