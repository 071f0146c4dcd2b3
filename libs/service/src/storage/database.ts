import type { Pool } from 'pg';
import { Lanes } from './lanes.js';

/** A service's connections to Postgres: lanes for single statements, the rest of the pool for transactions. */
export class Database {
  readonly lanes: Lanes;

  constructor(
    readonly service: string,
    readonly writes: Pool,
    readConnections: number,
  ) {
    this.lanes = new Lanes(this.writes, readConnections);
  }

  async isReady(): Promise<boolean> {
    await this.writes.query('SELECT 1');
    return true;
  }

  async close(): Promise<void> {
    this.lanes.close();
    await this.writes.end();
  }
}
