import { run, withClient } from '@practice/event-store';
import type { Statement, TextRow } from '@practice/event-store';
import { Pool } from 'pg';

/** A connection as the relay's role, which what comes from the bus is stored by: it has no practice of its own, so it sees each. */
export class CrossTenantConnection {
  private readonly pool: Pool;

  /** @param onError told when an idle connection breaks; the next statement opens another */
  constructor(service: string, url: string, onError: (error: Error) => void) {
    this.pool = new Pool({
      connectionString: url,
      max: 1,
      application_name: `${service} follower`,
      // One plan for however many records.
      options: '-c plan_cache_mode=force_generic_plan -c statement_timeout=10000',
    });
    this.pool.on('error', onError);
  }

  run(statement: Statement): Promise<TextRow[]> {
    return withClient(this.pool, async (client, discard) => {
      try {
        return await run(client, statement);
      } catch (error) {
        // It may be that of a connection which is about to end.
        discard(error as Error);
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
