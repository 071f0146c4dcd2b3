// The two writes of the bare server, each as one plain statement without a log.

import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Booking } from '../calendar.js';
import { BASELINE } from './copy.js';

/** Statements that every connection prepares once. */
const insert = {
  name: 'insert',
  text: `INSERT INTO ${BASELINE}.appointments (therapist_id, id, date, start_time, end_time, status, client_name, notes, allow_overlap, is_exception, seat, created_at, updated_at, version, _json)
VALUES ($1, $2, $3, $4, $5, 'scheduled', $6, $7, false, false, 0, $8, $8, 1, $9)`,
};
const update = {
  name: 'update',
  text: `UPDATE ${BASELINE}.appointments SET status = $3, updated_at = $4, version = version + 1, _json = $5 WHERE therapist_id = $1 AND id = $2`,
};

export const plainWrites = (pool: Pool) => ({
  book: async (practice: string, booking: Booking): Promise<void> => {
    const now = new Date().toISOString();
    const { date, start_time, end_time, client_name, notes } = booking;
    const row = { id: randomUUID(), therapist_id: practice, ...booking, created_at: now, updated_at: now };
    const given = [row.id, date, start_time, end_time, client_name, notes, now, JSON.stringify(row)];
    await pool.query({ ...insert, values: [practice, ...given] });
  },
  changeStatus: async (practice: string, id: string, status: string): Promise<void> => {
    const now = new Date().toISOString();
    const row = { id, therapist_id: practice, status, updated_at: now };
    await pool.query({ ...update, values: [practice, id, status, now, JSON.stringify(row)] });
  },
});
