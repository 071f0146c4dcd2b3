// Many callers of several practices book the same times through two processes. Each time is booked once, and every acknowledged
// booking is kept.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newPractice, stack, write, type Practice } from '@practice/testing';
import pg from 'pg';
import { contestedBookings } from './contested-bookings.config.js';

const PRACTICES = 8;
/** The number of concurrent requests. */
const CALLERS = 48;
/** The number of callers for each time. */
const RIVALS = 4;

let stopSecond: () => Promise<unknown>;
let practices: Practice[];
let owner: pg.Client;

beforeAll(async () => {
  stopSecond = (await stack().spawnProcess('scheduling')).stop;
  practices = await Promise.all(Array.from({ length: PRACTICES }, () => newPractice()));
  owner = new pg.Client({ connectionString: stack().databaseUrl('scheduling_owner') });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await stopSecond();
});

/** The nth contested time. There are twelve a day. */
function timeOf(index: number) {
  const date = new Date(Date.UTC(2032, 0, 1 + Math.floor(index / 12))).toISOString().slice(0, 10);
  const hour = String(8 + (index % 12)).padStart(2, '0');
  return { date, start_time: `${hour}:00`, end_time: `${hour}:50` };
}

interface Booking {
  readonly practice: number;
  readonly time: number;
  readonly id: string;
}

/** The booking of a rival. The rivals for a time follow each other closely. */
const bookingAt = (index: number): Booking => ({
  practice: index % PRACTICES,
  time: Math.floor(index / RIVALS / PRACTICES),
  id: randomUUID(),
});

async function book({ practice, time, id }: Booking): Promise<number> {
  const body = { id, ...timeOf(time) };
  const headers = { 'idempotency-key': id };
  const call = { method: 'POST', body, headers };
  return (await write(practices[practice] as Practice, 'appointments', call)).status;
}

describe('contested bookings', () => {
  it('are each acknowledged and kept, or refused, and no booking overlaps another', async () => {
    const count = contestedBookings();
    const acknowledged: Booking[] = [];
    const refused: Booking[] = [];
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < count) {
        const booking = bookingAt(next++);
        const status = await book(booking);
        expect([201, 409]).toContain(status);
        (status === 201 ? acknowledged : refused).push(booking);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    expect(acknowledged.length + refused.length).toBe(count);
    const { rows } = await owner.query<{ id: string }>(
      `SELECT id FROM appointments WHERE therapist_id = ANY ($1) ORDER BY id`,
      [practices.map(({ therapistId }) => therapistId)],
    );
    expect(rows.map(({ id }) => id)).toEqual(acknowledged.map(({ id }) => id).sort());
    const times = new Set(acknowledged.map(({ practice, time }) => `${practice} ${time}`));
    expect(times.size).toBe(acknowledged.length);
    expect(times).toEqual(
      new Set([...acknowledged, ...refused].map(({ practice, time }) => `${practice} ${time}`)),
    );
  }, 3_600_000);

  it('leave a log without gaps', async () => {
    const { rows } = await owner.query(
      `SELECT therapist_id FROM events JOIN practice_head AS head USING (therapist_id) WHERE therapist_id = ANY ($1)
       GROUP BY therapist_id, head.position HAVING count(*) <> head.position OR max(events.position) <> head.position`,
      [practices.map(({ therapistId }) => therapistId)],
    );
    expect(rows).toEqual([]);
  });
});
