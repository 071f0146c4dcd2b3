import { BY_KEY, makePool, run, withClient, type Statement, type TextRow } from '@practice/log';
import { unavailable } from '@practice/bus';
import type { Pool } from 'pg';

/** With one connection, the questions of all readers of events would wait for each other, and followers behind them. Idle connections are closed. */
const MOST = 3;

/** Connections as the relay's role, which stores events of all practices: row-level security does not limit it to one. */
export class CrossTenantConnection {
  private readonly pool: Pool;

  /** @param onError called when an idle connection breaks; the next statement opens another one */
  constructor(
    private readonly service: string,
    url: string,
    onError: (error: Error) => void,
  ) {
    const config = {
      connectionString: url,
      max: MOST,
      application_name: `${service} follower`,
      // One plan for any number of records.
      options: `-c plan_cache_mode=force_generic_plan -c statement_timeout=10000 ${BY_KEY}`,
    };
    this.pool = makePool(config, onError);
  }

  /**
   * Runs a statement outside a transaction. Statements that are run at the same time have no order.
   * @param deadline in milliseconds since the epoch. After it no caller waits for the rows, so a statement that still waits for a
   *   connection is not run. Otherwise the queue would not get shorter while readers ask again.
   * @throws {Rejection} PM503 after the deadline
   */
  run(statement: Statement, deadline = Infinity): Promise<TextRow[]> {
    return withClient(this.pool, async (client, discard) => {
      if (Date.now() > deadline) throw unavailable(this.service, 'did not answer in time');
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
