// A copy of the scheduling service's tables for the baselines to write to. No relay publishes the events appended there.

import { catalog } from '@practice/contracts';
import { instantFunctions } from '@practice/query';
import type { Client } from 'pg';

export const BASELINE = 'baseline';

const tables = ['practice_head', 'events', 'outbox', 'practice_settings', 'appointments'];

/** Lets the baselines' one role read the tables of the other services, past row-level security as in its own. */
export async function letBaselinesRead(admin: Client): Promise<void> {
  await admin.query('ALTER ROLE scheduling_owner INHERIT');
  await admin.query('GRANT clients_owner, clinical_notes_owner, finance_owner TO scheduling_owner');
}

/** Copies the tables with their data, keys and constraints, and makes the functions that reads call. Row-level security stays behind. */
export async function copyTables(admin: Client): Promise<void> {
  await admin.query(`CREATE SCHEMA ${BASELINE}`);
  // The exclusion constraint's operators are there.
  await admin.query('SET search_path = extensions, public');
  for (const table of tables) {
    await admin.query(`CREATE TABLE ${BASELINE}.${table} (LIKE scheduling.${table} INCLUDING ALL)`);
    if (table !== 'outbox')
      await admin.query(`INSERT INTO ${BASELINE}.${table} SELECT * FROM scheduling.${table}`);
  }
  for (const definition of instantFunctions(BASELINE, [...catalog.resources.values()]))
    await admin.query(definition);
  await admin.query(`GRANT USAGE ON SCHEMA ${BASELINE} TO scheduling_owner`);
  await admin.query(`GRANT ALL ON ALL TABLES IN SCHEMA ${BASELINE} TO scheduling_owner`);
}

/**
 * Leaves nothing of what was written to be done while measuring: rows are seen as visible, statistics made, pages written, and
 * the files of Postgres' log are there to be used again. Making and filling a new one holds up every commit meanwhile, which
 * happens to young databases.
 */
export async function settle(admin: Client): Promise<void> {
  await admin.query('VACUUM (ANALYZE)');
  await admin.query('CHECKPOINT');
}
