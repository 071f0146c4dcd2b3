import type { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { poolOf } from './data-source.js';
import { ReadLanes } from './read-lanes.js';

/** A service's connections to Postgres: lanes for reads, the rest of the pool for writes. */
export class Database {
  readonly reads: ReadLanes;
  readonly writes: Pool;

  constructor(
    readonly service: string,
    private readonly dataSource: DataSource,
    readConnections: number,
  ) {
    this.writes = poolOf(dataSource);
    this.reads = new ReadLanes(this.writes, readConnections);
  }

  async isReady(): Promise<boolean> {
    await this.writes.query('SELECT 1');
    return true;
  }

  async close(): Promise<void> {
    this.reads.close();
    await this.dataSource.destroy();
  }
}
