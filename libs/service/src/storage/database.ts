import type { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { poolOf } from './data-source.js';
import { Lanes } from './lanes.js';

/** A service's connections to Postgres: lanes for single statements, the rest of the pool for transactions. */
export class Database {
  readonly lanes: Lanes;
  readonly writes: Pool;

  constructor(
    readonly service: string,
    private readonly dataSource: DataSource,
    readConnections: number,
  ) {
    this.writes = poolOf(dataSource);
    this.lanes = new Lanes(this.writes, readConnections);
  }

  async isReady(): Promise<boolean> {
    await this.writes.query('SELECT 1');
    return true;
  }

  async close(): Promise<void> {
    this.lanes.close();
    await this.dataSource.destroy();
  }
}
