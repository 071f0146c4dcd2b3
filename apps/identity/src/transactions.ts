// Transactions on the private tables. Row-level security shows a transaction only the practice that it acts for, or the one
// row whose credential its caller has presented.

import { Injectable } from '@nestjs/common';
import { PRACTICE_SETTING, withClient } from '@practice/event-store';
import { isDatabaseUnavailable, TenantDatabase } from '@practice/service';
import type { ClientBase } from 'pg';
import { PRESENTED_SETTING } from './tables.js';

/** Whose rows a transaction sees. */
export interface Scope {
  readonly therapistId?: string;
  /** An e-mail address or the hash of a token, when the practice is not known yet. */
  readonly presented?: string;
}

@Injectable()
export class Transactions {
  constructor(private readonly database: TenantDatabase) {}

  /** Runs `work` in one transaction; it is rolled back when `work` throws. */
  run<T>({ therapistId = '', presented = '' }: Scope, work: (client: ClientBase) => Promise<T>): Promise<T> {
    return withClient(this.database.writes, async (client, spoil) => {
      try {
        await client.query('BEGIN');
        await client.query('SELECT set_config($1, $2, true), set_config($3, $4, true)', [
          ...[PRACTICE_SETTING, therapistId],
          ...[PRESENTED_SETTING, presented],
        ]);
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // Nothing is sent on a connection that is about to end: it might never be answered.
        if (isDatabaseUnavailable(error)) spoil(error as Error);
        else await client.query('ROLLBACK').catch(spoil);
        throw error;
      }
    });
  }
}

/** From here on the transaction acts for this practice, which it found by the presented credential. */
export async function actForPractice(client: ClientBase, therapistId: string): Promise<void> {
  await client.query('SELECT set_config($1, $2, true)', [PRACTICE_SETTING, therapistId]);
}
