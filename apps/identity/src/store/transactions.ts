// Transactions on the private tables. Row-level security shows a transaction only the user and the practice that it acts for,
// or the one row whose credential its caller has presented.

import { Injectable } from '@nestjs/common';
import { pipeline, PRACTICE_SETTING, READER_SETTING, run, sql, SYSTEM, withClient } from '@practice/log';
import type { Statement } from '@practice/log';
import { ending, isDatabaseUnavailable, TenantDatabase, timed } from '@practice/storage';
import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { clientOf, tablesOn } from './database.js';
import { PRESENTED_SETTING, USER_SETTING } from './policies.js';

/** The user, practice or credential whose rows a transaction sees. */
export interface Scope {
  readonly userId?: string;
  /** The practice; by default the practice that the user opened, which has the user's id and contains the user's record. */
  readonly therapistId?: string;
  /** An e-mail address or the hash of a token, when the user is not known yet. */
  readonly presented?: string;
}

@Injectable()
export class Transactions {
  constructor(private readonly database: TenantDatabase) {}

  /** Runs `work` in one transaction; it is rolled back when `work` throws. */
  run<T>(scope: Scope, work: (tables: EntityManager) => Promise<T>): Promise<T> {
    const { userId = '', therapistId = userId, presented = '' } = scope;
    const settings = {
      [USER_SETTING]: userId,
      [PRACTICE_SETTING]: therapistId,
      [READER_SETTING]: SYSTEM,
      [PRESENTED_SETTING]: presented,
    };
    const transaction = async (client: PoolClient, spoil: (error: Error) => void): Promise<T> => {
      try {
        await pipeline(client, [sql('BEGIN'), setting(settings)]);
        const result = await work(tablesOn(client));
        await ending('COMMIT', run(client, sql('COMMIT')));
        return result;
      } catch (error) {
        // Nothing is sent on a connection that is about to end, because Postgres might never respond.
        if (isDatabaseUnavailable(error)) spoil(error as Error);
        else await run(client, sql('ROLLBACK')).catch(spoil);
        throw error;
      }
    };
    return timed('exclusive', () => withClient(this.database.writes, transaction));
  }
}

/** From here on the transaction acts for this user, in the practice that the user opened. */
export const actForUser = (tables: EntityManager, userId: string): Promise<void> =>
  actForMember(tables, { userId, therapistId: userId });

/** From here on the transaction acts for this member. */
export const actForMember = (
  tables: EntityManager,
  { userId, therapistId }: { readonly userId: string; readonly therapistId: string },
): Promise<void> => act(tables, { [USER_SETTING]: userId, [PRACTICE_SETTING]: therapistId });

/**
 * The transaction of a function also acts for the caller: row-level security shows the caller's sessions and tokens.
 * @param presented the hash of a token that the caller has presented
 */
export const actForCaller = (tables: EntityManager, userId: string, presented = ''): Promise<void> =>
  act(tables, { [USER_SETTING]: userId, [PRESENTED_SETTING]: presented });

async function act(tables: EntityManager, settings: Readonly<Record<string, string>>): Promise<void> {
  await run(await clientOf(tables), setting(settings));
}

/** Settings of the transaction. They end with it. */
export function setting(settings: Readonly<Record<string, string>>): Statement {
  const entries = Object.entries(settings);
  const calls = entries.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`);
  return { text: `SELECT ${calls.join(', ')}`, values: entries.flat() };
}
