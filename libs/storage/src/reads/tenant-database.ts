import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Keyring, PersonalKeys, type Acting, type Statement, type TextRow } from '@practice/log';
import type { DiskSpace } from '@practice/process';
import type { Pool } from 'pg';
import { isDatabaseUnavailable } from '../connections/database-errors.js';
import { hasAccessLog } from '../tables/access-log-table.js';
import type { ReadSettings } from './pipelined-connections.js';
import { Reads, type ReadTerms } from './reads.js';
import { Replica } from './replica.js';

const CURSORS = 'cursors of pages';
const ANSWERS_WITHIN_MS = 20_000;
const PAUSE_MS = 100;

/** A service's connections to Postgres as a practice: pipelined ones for single statements, the rest of the pool for transactions. */
export class TenantDatabase {
  readonly reads: Reads;
  readonly personalKeys: PersonalKeys;
  /** By the server that they lead to. */
  readonly pools: Map<'primary' | 'replica', Pool>;
  /** Seals the cursors of pages. */
  cursorKeys = new Keyring(randomBytes(32).toString('base64url'), CURSORS);
  private replica: Replica | undefined;

  constructor(
    readonly service: string,
    readonly writes: Pool,
    readonly reading: ReadSettings,
    /** The size of a practice's events, in bytes, from which on its callers may only delete. */
    readonly quotaBytes = Number.POSITIVE_INFINITY,
    /** Required by a service with personal columns. */
    keyEncryption?: Keyring,
    /** Callers may write only while the disk space is not low. */
    readonly disk: Pick<DiskSpace, 'isLow'> = { isLow: false },
  ) {
    this.personalKeys = new PersonalKeys(service, keyEncryption);
    this.reads = new Reads(this.writes, reading);
    this.pools = new Map([['primary', this.writes]]);
  }

  /** From now on, cursors of all processes of the service are sealed with these keys. @param setting as of `Keyring` */
  useCursorKeys(setting: string): void {
    this.cursorKeys = new Keyring(setting, CURSORS);
  }

  /** The number of transactions that may run at a time. */
  get writeConnections(): number {
    return this.writes.options.max - connectionsOf(this.service, this.reading);
  }

  /** From now on, reads that may be old come from a replica. @param onLost called when it does not answer */
  useReplica(pool: Pool, onLost: (error: Error) => void): void {
    this.pools.set('replica', pool);
    this.replica = new Replica(pool, this.reading, this.reads.times, onLost);
  }

  /** Runs a caller's read. @param mayBeOld whether rows of a replica are accepted */
  async read(
    acting: Acting,
    statement: Statement,
    { mayBeOld, ...terms }: ReadTerms & { readonly mayBeOld: boolean },
  ): Promise<{ readonly rows: TextRow[]; readonly isFromReplica: boolean }> {
    const old = mayBeOld ? await this.replica?.run(acting, statement, terms) : undefined;
    if (old !== undefined) return { rows: old, isFromReplica: true };
    return { rows: await this.reads.run(acting, statement, terms), isFromReplica: false };
  }

  /**
   * How old the rows of the replica are, in seconds; undefined without a replica.
   * @throws {Error} while the replica is unavailable
   */
  async secondsBehind(): Promise<number | undefined> {
    return this.replica?.secondsBehind();
  }

  async isReady(): Promise<boolean> {
    await this.writes.query('SELECT 1');
    return true;
  }

  /**
   * Waits until Postgres answers: it may start at the same time, or be slow on a busy machine.
   * @throws the reason why it cannot be reached, after `ANSWERS_WITHIN_MS`
   */
  async answers(): Promise<void> {
    for (const end = Date.now() + ANSWERS_WITHIN_MS; ; await pause(PAUSE_MS))
      try {
        return void (await this.isReady());
      } catch (error) {
        if (!isDatabaseUnavailable(error) || Date.now() > end) throw error;
      }
  }

  async close(): Promise<void> {
    this.reads.close();
    await this.replica?.close();
    await this.writes.end();
  }
}

/** The connections that reads take from the pool: the shared ones, the one for slow reads, and the one of the access log. */
export const connectionsOf = (service: string, { connections }: Pick<ReadSettings, 'connections'>): number =>
  connections + 1 + (hasAccessLog(service) ? 1 : 0);
