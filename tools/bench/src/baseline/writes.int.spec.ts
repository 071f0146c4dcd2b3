import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ownStack, type OwnStack } from '@practice/testing';
import pg from 'pg';
import { booking, SEED_BEGINS } from '../calendar.js';
import { BASELINE, copyAppointments } from './copy.js';
import { plainWrites } from './writes.js';

let own: OwnStack;
let pool: pg.Pool;
const practice = randomUUID();

beforeAll(async () => {
  own = await ownStack();
  const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  await copyAppointments(admin);
  await admin.end();
  pool = new pg.Pool({ connectionString: own.databaseUrl('scheduling_owner') });
});

afterAll(async () => {
  await pool.end();
  await own.stop();
});

const appointments = async (): Promise<{ id: string; status: string }[]> =>
  (await pool.query(`SELECT id, status FROM ${BASELINE}.appointments WHERE therapist_id = $1`, [practice]))
    .rows;

it('plain statements book and change an appointment in the copied table', async () => {
  const writes = plainWrites(pool);
  await writes.book(practice, booking(SEED_BEGINS, 0));
  const [appointment] = await appointments();
  expect(appointment?.status).toBe('scheduled');
  await writes.changeStatus(practice, appointment?.id ?? '', 'confirmed');
  expect(await appointments()).toEqual([{ id: appointment?.id, status: 'confirmed' }]);
});
