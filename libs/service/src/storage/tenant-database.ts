import type { Pool } from 'pg';
import { PipelinedConnections } from './pipelined-connections.js';

/** A service's connections to Postgres as a practice: pipelined ones for single statements, the rest of the pool for transactions. */
export class TenantDatabase {
  readonly reads: PipelinedConnections;

  constructor(
    readonly service: string,
    readonly writes: Pool,
    private readonly readConnections: number,
  ) {
    this.reads = new PipelinedConnections(this.writes, readConnections);
  }

  /** The number of transactions that may run at a time. */
  get writeConnections(): number {
    return this.writes.options.max - this.readConnections;
  }

  async isReady(): Promise<boolean> {
    await this.writes.query('SELECT 1');
    return true;
  }

  async close(): Promise<void> {
    this.reads.close();
    await this.writes.end();
  }
}
