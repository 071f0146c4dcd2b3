// The two writes, each in two ways: the transaction that the service runs, and one plain statement without a log.

import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Booking } from '../calendar.js';
import { prepared } from './pool.js';
import { BASELINE } from './schema.js';
import { insertText, overlapsText, selected, targetText, updateText } from './sql.js';
import { asText, transact } from './transaction.js';
import type { Row } from './transaction.js';

export interface Writes {
  book(practice: string, booking: Booking): Promise<void>;
  changeStatus(practice: string, id: string, status: string): Promise<void>;
}

const overlaps = prepared('overlaps', overlapsText(BASELINE));
const target = prepared('target', targetText(BASELINE));
const insert = prepared('insert', insertText(BASELINE));
const update = prepared('update', updateText(BASELINE));

/** The service's transactions. */
export const loggedWrites = (pool: Pool): Writes => ({
  book: (practice, booking) =>
    transact(pool, practice, {
      loading: { ...overlaps, ...asText, values: [practice, [booking.date]] },
      decide: () => {
        const row = rowOf(practice, booking);
        return { type: 'AppointmentScheduled', data: row, row, version: 1 };
      },
    }),
  changeStatus: (practice, id, status) =>
    transact(pool, practice, {
      loading: { ...target, ...asText, values: [practice, id, '1001'] },
      decide: ([found = []]) => {
        const before = Object.fromEntries(selected.map((name, index) => [name, found[index]]));
        const row = { ...before, status, updated_at: new Date().toISOString() };
        const version = Number(before['version']) + 1;
        return { type: 'AppointmentConfirmed', data: { status }, row, version };
      },
    }),
});

/** One statement each. */
export const plainWrites = (pool: Pool): Writes => ({
  book: async (practice, booking) => {
    const row = rowOf(practice, booking);
    const { date, start_time: start, end_time: end, client_name: client, notes } = booking;
    const values = [
      practice,
      row['id'],
      date,
      start,
      end,
      client,
      notes,
      row['created_at'],
      JSON.stringify(row),
    ];
    await pool.query({ ...insert, values });
  },
  changeStatus: async (practice, id, status) => {
    const now = new Date().toISOString();
    const json = JSON.stringify({ ...rowOf(practice, example), id, status, updated_at: now });
    await pool.query({ ...update, values: [practice, id, status, now, json] });
  },
});

function rowOf(practice: string, booking: Booking): Row {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    therapist_id: practice,
    ...booking,
    client_id: null,
    service_id: null,
    allow_overlap: false,
    seat: 0,
    created_at: now,
    updated_at: now,
  };
}

/** Stands for the rest of the row, which a plain update does not look at. */
const example: Booking = {
  date: '2027-01-04',
  start_time: '08:00',
  end_time: '08:50',
  status: 'scheduled',
  client_name: 'Client 1',
  notes: 'Comes by tram; prefers the second chair by the window.',
};
