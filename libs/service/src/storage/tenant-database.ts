import { PersonalKeys } from '@practice/event-store';
import type { KeyEncryption } from '@practice/event-store';
import type { DiskSpace } from '@practice/process';
import type { Pool } from 'pg';
import { hasAccessLog } from '../access/access-log-table.js';
import { Reads } from './reads.js';
import type { ReadSettings } from './reads.js';

/** A service's connections to Postgres as a practice: pipelined ones for single statements, the rest of the pool for transactions. */
export class TenantDatabase {
  readonly reads: Reads;
  readonly personalKeys: PersonalKeys;

  constructor(
    readonly service: string,
    readonly writes: Pool,
    readonly reading: ReadSettings,
    /** The size of a practice's events from which on callers may only delete. */
    readonly quotaBytes = Number.POSITIVE_INFINITY,
    /** Required by a service with personal columns. */
    keyEncryption?: KeyEncryption,
    /** Callers write only while it is not low. */
    readonly disk: Pick<DiskSpace, 'isLow'> = { isLow: false },
  ) {
    this.personalKeys = new PersonalKeys(service, keyEncryption);
    this.reads = new Reads(this.writes, reading);
  }

  /** The number of transactions that may run at a time. */
  get writeConnections(): number {
    return this.writes.options.max - connectionsOf(this.service, this.reading);
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

/** The connections that reads take from the pool: the shared ones, the one for slow reads, and the one of the access log. */
export const connectionsOf = (service: string, { connections }: Pick<ReadSettings, 'connections'>): number =>
  connections + 1 + (hasAccessLog(service) ? 1 : 0);
