// The gateway's own tables, as the role that requests run under: row-level security shows a transaction only
// the practice it acts for, or the one account that its caller has presented a credential of.

import { PRACTICE_SETTING, withClient } from '@practice/event-store';
import { Pool } from 'pg';
import type { ClientBase } from 'pg';
import { PRESENTED_SETTING } from './tables.js';

/** Whom a transaction is for. */
export interface Scope {
  readonly therapistId?: string;
  /** What the caller has shown before its practice is known: an e-mail address, or the hash of a refresh token. */
  readonly presented?: string;
}

/** Who hears of what happens to the database. */
export interface DatabaseListeners {
  /** An idle connection broke. */
  readonly lost: (error: Error) => void;
  /** Events were committed to the log. */
  readonly appended: () => void;
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 3000;
const STATEMENT_TIMEOUT_MS = 5000;

export class Database {
  private readonly pool: Pool;

  constructor(
    connectionString: string,
    private readonly heard: DatabaseListeners,
  ) {
    this.pool = new Pool({
      connectionString,
      max: CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'gateway',
    });
    // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', heard.lost);
  }

  /** Runs `work` in one transaction that sees what `scope` may see; it is undone when `work` throws. */
  transaction<T>(scope: Scope, work: (client: ClientBase) => Promise<T>): Promise<T> {
    return withClient(this.pool, async (client, discard) => {
      try {
        await client.query('BEGIN');
        await limitTo(client, scope);
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(discard);
        throw error;
      }
    });
  }

  /** A transaction that appends to the log: once it is committed, the relay can take the events on. */
  async appending<T>(scope: Scope, work: (client: ClientBase) => Promise<T>): Promise<T> {
    const result = await this.transaction(scope, work);
    this.heard.appended();
    return result;
  }

  /** Whether Postgres answers. */
  async isUp(): Promise<boolean> {
    return this.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

/** From here on a transaction acts for this practice: what it looked up by a credential told which. */
export async function actForPractice(client: ClientBase, therapistId: string): Promise<void> {
  await client.query('SELECT set_config($1, $2, true)', [PRACTICE_SETTING, therapistId]);
}

async function limitTo(client: ClientBase, { therapistId = '', presented = '' }: Scope): Promise<void> {
  await client.query('SELECT set_config($1, $2, true), set_config($3, $4, true)', [
    PRACTICE_SETTING,
    therapistId,
    PRESENTED_SETTING,
    presented,
  ]);
}

const AWAY_STATES = /^(08|53|57P)/;
const AWAY_ERRORS = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'ENOENT']);

/** Whether an error says that Postgres is away, rather than that something is wrong with the statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (AWAY_ERRORS.has(code) || AWAY_STATES.test(code)) return true;
  return /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
    error.message,
  );
}
