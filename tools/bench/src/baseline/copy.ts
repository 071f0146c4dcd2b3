// A copy of the appointments for the baseline to write to.

import type { Client } from 'pg';

export const BASELINE = 'baseline';

/** Lets the role of the baselines read the tables of the other services. As in its own tables, row-level security does not apply there. */
export async function letBaselinesRead(admin: Client): Promise<void> {
  await admin.query('ALTER ROLE scheduling_owner INHERIT');
  await admin.query('GRANT clients_owner, clinical_notes_owner, finance_owner TO scheduling_owner');
}

/** Copies the table with its data, keys and constraints. Row-level security is not copied. */
export async function copyAppointments(admin: Client): Promise<void> {
  await admin.query(`CREATE SCHEMA ${BASELINE}`);
  // These schemas contain the operators of the exclusion constraint.
  await admin.query('SET search_path = extensions, public');
  await admin.query(`CREATE TABLE ${BASELINE}.appointments (LIKE scheduling.appointments INCLUDING ALL)`);
  await admin.query(`INSERT INTO ${BASELINE}.appointments SELECT * FROM scheduling.appointments`);
  await admin.query(`GRANT USAGE ON SCHEMA ${BASELINE} TO scheduling_owner`);
  await admin.query(`GRANT ALL ON ALL TABLES IN SCHEMA ${BASELINE} TO scheduling_owner`);
}

/**
 * Finishes the work that earlier writes have left, so that none of it runs during the measurements: rows are marked as visible,
 * statistics are made, pages are written, and the files of Postgres' log can be used again. In a young database, Postgres would
 * otherwise make and fill new files, which holds up every commit.
 */
export async function settle(admin: Client): Promise<void> {
  await admin.query('VACUUM (ANALYZE)');
  await admin.query('CHECKPOINT');
}
