// Applies the erasures in the ledger that the database lacks because it was restored from a backup that is older than they are.

import { grouped } from '@practice/core';
import { actToWrite, asSystem, lockPractices, pipeline, run } from '@practice/log';
import { selectKeys, sql, withClient, type PersonalKeyId } from '@practice/log';
import type { TenantDatabase } from '@practice/storage';
import { erasePersonal, hasPersonalValues } from './erase.js';
import type { ErasureLedger, LedgerEntry } from './erasure-ledger.js';

type Database = Pick<TenantDatabase, 'service' | 'writes'>;

/**
 * Repeats the missing erasures. Call it before the process serves, relays or follows. Several processes may call it at the same time.
 * @returns the number of erasures that were missing
 * @throws {Error} when the ledger cannot be read or an erasure fails; the process must not serve then
 */
export async function applyLedger(database: Database, ledger: Pick<ErasureLedger, 'read'>): Promise<number> {
  if (!hasPersonalValues(database.service)) return 0;
  const byPractice = grouped((await ledger.read()).map((entry) => [entry.therapistId, entry]));
  let applied = 0;
  for (const [therapistId, entries] of byPractice)
    for (let left: readonly LedgerEntry[] = entries; left.length > 0; left = left.slice(1)) {
      left = await applyFirst(database, therapistId, left);
      if (left.length > 0) applied += 1;
    }
  return applied;
}

/**
 * Applies the first missing erasure in its own transaction, so that a process that is ended meanwhile keeps the earlier ones. Looks for
 * it under the lock of the practice, since another process may erase the same values until this one has the lock.
 * @returns the entries that were missing, beginning with the one that was applied
 */
function applyFirst(
  { service, writes }: Database,
  therapistId: string,
  entries: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> {
  return withClient(writes, async (connection, discard) => {
    try {
      await pipeline(connection, [
        sql('BEGIN'),
        actToWrite([asSystem(therapistId)]),
        // Another process may hold the lock for its erasures longer than a caller would wait, and an erasure may take longer than a request.
        sql("SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)"),
        lockPractices(service, [therapistId], 'wait'),
      ]);
      const rows = await run(connection, selectKeys(service, entries.map(keyOf)));
      const erased = new Set(rows.flatMap(([index, key]) => (key === null ? [Number(index) - 1] : [])));
      const missing = entries.filter((_, index) => !erased.has(index));
      const [first] = missing;
      if (first !== undefined) await erasePersonal(connection, { service, ...first });
      await run(connection, sql('COMMIT'));
      return missing;
    } catch (error) {
      // The connection may still be in the transaction.
      discard(error as Error);
      throw error;
    }
  });
}

/** The id of the row with the tombstone of an erasure. */
const keyOf = ({ therapistId, client }: LedgerEntry): PersonalKeyId => ({
  therapistId,
  clientId: client === 'all' ? therapistId : client,
});
