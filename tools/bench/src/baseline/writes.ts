// The two writes, each in two ways: the transaction that the service runs (lock and load in one round trip; append, write
// and commit in another), and one plain statement without a log.

import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { exampleBooking } from '../calendar.js';
import type { Booking } from '../calendar.js';
import { BASELINE } from './copy.js';
import { eventJson, recordJson, rowOf } from './records.js';
import type { Fact, Row } from './records.js';
import { appendText, insertText, lockText, overlapsText, selected } from './sql.js';
import { targetText, updateText, upsertText } from './sql.js';

export interface Writes {
  book(practice: string, booking: Booking): Promise<void>;
  changeStatus(practice: string, id: string, status: string): Promise<void>;
}

/** Statements that every connection prepares once. */
const lock = { name: 'lock', text: lockText(BASELINE) };
const overlaps = { name: 'overlaps', text: overlapsText(BASELINE) };
const target = { name: 'target', text: targetText(BASELINE) };
const append = { name: 'append', text: appendText(BASELINE) };
const upsert = { name: 'upsert', text: upsertText(BASELINE) };
const insert = { name: 'insert', text: insertText(BASELINE) };
const update = { name: 'update', text: updateText(BASELINE) };

/** Rows come as arrays of Postgres' own text, as the service takes them. */
const asText = { rowMode: 'array', types: { getTypeParser: () => (value: string) => value } } as const;

const nowText = (): string => new Date().toISOString();
const newRow = (practice: string, booking: Booking): Row =>
  rowOf(practice, booking, { id: randomUUID(), now: nowText() });

/** The service's transactions. */
export const loggedWrites = (pool: Pool): Writes => ({
  book: (practice, booking) =>
    transact(pool, practice, {
      loading: { ...overlaps, values: [practice, [booking.date]] },
      decide: () => {
        const row = newRow(practice, booking);
        return { type: 'AppointmentScheduled', data: row, row, version: 1 };
      },
    }),
  changeStatus: (practice, id, status) =>
    transact(pool, practice, {
      loading: { ...target, values: [practice, id, '1001'] },
      decide: ([found = []]) => {
        const before = Object.fromEntries(selected.map((name, index) => [name, found[index]]));
        const row = { ...before, status, updated_at: nowText() };
        const version = Number(before['version']) + 1;
        return { type: 'AppointmentConfirmed', data: { status }, row, version };
      },
    }),
});

interface Transaction {
  readonly loading: { readonly name: string; readonly text: string; readonly values: unknown[] };
  readonly decide: (rows: readonly string[][]) => Omit<Fact, 'id' | 'position'> & { readonly row: Row };
}

/** Locks the practice, loads, lets `decide` say what happened, and stores it. */
async function transact(pool: Pool, practice: string, { loading, decide }: Transaction): Promise<void> {
  const client = await pool.connect();
  try {
    const [, locked, loaded] = await Promise.all([
      client.query('BEGIN'),
      client.query<string[]>({ ...lock, ...asText, values: [practice] }),
      client.query<string[]>({ ...loading, ...asText }),
    ]);
    const position = Number(locked.rows[0]?.[0]) + 1;
    const { row, ...fact } = decide(loaded.rows);
    const event = { ...fact, id: row['id'], position };
    const events = eventJson(event, { newId: randomUUID, now: nowText() });
    await Promise.all([
      client.query({ ...append, values: [practice, events, position] }),
      client.query({ ...upsert, values: [practice, recordJson(row, fact.version)] }),
      client.query('COMMIT'),
    ]);
    client.release();
  } catch (error) {
    // No measurement counts in which this happens: the connection need not be saved.
    client.release(true);
    throw error;
  }
}

/** One statement each. */
export const plainWrites = (pool: Pool): Writes => ({
  book: async (practice, booking) => {
    const row = newRow(practice, booking);
    const names = ['id', 'date', 'start_time', 'end_time', 'client_name', 'notes', 'created_at'];
    const values = [practice, ...names.map((name) => row[name]), JSON.stringify(row)];
    await pool.query({ ...insert, values });
  },
  changeStatus: async (practice, id, status) => {
    // The example stands for the rest of the row, which a plain update does not look at.
    const row: Row = { ...newRow(practice, exampleBooking), id, status };
    await pool.query({
      ...update,
      values: [practice, id, status, row['updated_at'], JSON.stringify(row)],
    });
  },
});
