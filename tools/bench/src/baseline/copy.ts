// A copy of the appointments for the baseline to write to.

import type { Client } from 'pg';

export const BASELINE = 'baseline';

/** Lets the baselines' one role read the tables of the other services, past row-level security as in its own. */
export async function letBaselinesRead(admin: Client): Promise<void> {
  await admin.query('ALTER ROLE scheduling_owner INHERIT');
  await admin.query('GRANT clients_owner, clinical_notes_owner, finance_owner TO scheduling_owner');
}

/** Copies the table with its data, keys and constraints. Row-level security stays behind. */
export async function copyAppointments(admin: Client): Promise<void> {
  await admin.query(`CREATE SCHEMA ${BASELINE}`);
  // The exclusion constraint's operators are there.
  await admin.query('SET search_path = extensions, public');
  await admin.query(`CREATE TABLE ${BASELINE}.appointments (LIKE scheduling.appointments INCLUDING ALL)`);
  await admin.query(`INSERT INTO ${BASELINE}.appointments SELECT * FROM scheduling.appointments`);
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
