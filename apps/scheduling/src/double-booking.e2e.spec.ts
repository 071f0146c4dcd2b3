// No two appointments get the same time: with many concurrent requests, with several processes, and without the decider.

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually, newPractice, stack, write, type Answer, type Practice } from '@practice/testing';
import pg from 'pg';

const later: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of later.splice(0).reverse()) await close();
});

const upTo = (count: number): number[] => [...Array(count).keys()];
const two = (part: number): string => String(part).padStart(2, '0');

/** The nth slot: there are ten separate slots a day. */
const slot = (index: number) => ({
  date: `2031-03-${two(1 + Math.floor(index / 10))}`,
  start_time: `${two(8 + (index % 10))}:00`,
  end_time: `${two(8 + (index % 10))}:50`,
});

const book = (practice: Practice, body: object): Promise<Answer> =>
  write(practice, 'appointments', { method: 'POST', body, headers: { prefer: 'return=representation' } });

const statusesOf = (answers: readonly Answer[]): Record<number, number> =>
  answers.reduce<Record<number, number>>(
    (sum, { status }) => ({ ...sum, [status]: (sum[status] ?? 0) + 1 }),
    {},
  );

/** Two hundred concurrent requests for twenty slots. */
async function storm(practice: Practice): Promise<Answer[]> {
  const requests = upTo(200).map((index) => ({ ...slot(index % 20), notes: `request ${index}` }));
  return Promise.all(requests.map((request) => book(practice, request)));
}

async function expectTwentyWinners(practice: Practice, answers: readonly Answer[]): Promise<void> {
  expect(statusesOf(answers)).toEqual({ 201: 20, 409: 180 });
  const codes = answers
    .filter(({ status }) => status === 409)
    .map(({ json }) => (json as { code: string }).code);
  expect(new Set(codes)).toEqual(new Set(['PM002']));
  const { json } = await practice.rest('appointments?select=date,start_time,end_time&order=date,start_time');
  expect(json).toEqual(upTo(20).map(slot));
}

describe('two hundred requests for twenty slots', () => {
  it('end with twenty appointments, and each error names the appointment in the slot', async () => {
    const practice = await newPractice();
    const answers = await storm(practice);
    await expectTwentyWinners(practice, answers);
    const winners = new Set(
      answers.filter(({ status }) => status === 201).map(({ json }) => (json as { id: string }[])[0]?.id),
    );
    for (const { json } of answers.filter(({ status }) => status === 409)) {
      const [{ id }] = (json as { details: [{ id: string }] }).details;
      expect(winners).toContain(id);
    }
  });

  it('end with twenty appointments with two processes of the service', async () => {
    const second = await stack().spawnProcess('scheduling');
    later.push(second.stop);
    const practice = await newPractice();
    await expectTwentyWinners(practice, await storm(practice));
  });
});

describe('a group', () => {
  it('of three accepts three of thirty requests, each with its own seat', async () => {
    const practice = await newPractice();
    const service = { id: randomUUID(), name: 'Yoga', duration: 50, price: 20, capacity: 3 };
    await practice.rest('service_menu', { method: 'POST', body: service });
    const answers = await Promise.all(
      upTo(30).map(() => book(practice, { ...slot(0), service_id: service.id })),
    );
    expect(statusesOf(answers)).toEqual({ 201: 3, 409: 27 });
    const { rows } = await (
      await asOwner()
    ).query('SELECT seat FROM appointments WHERE therapist_id = $1 ORDER BY seat', [practice.therapistId]);
    expect(rows).toEqual([{ seat: 0 }, { seat: 1 }, { seat: 2 }]);
  });
});

async function connected(role: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stack().databaseUrl(role) });
  await client.connect();
  later.push(() => client.end());
  return client;
}

const asOwner = () => connected('scheduling_owner');

interface Raw {
  readonly from: string;
  readonly to: string;
  readonly status?: string;
  readonly service?: string;
  readonly seat?: number;
}

/** Inserts a row with the role of the service, without our rules. The transaction stays open. */
async function insertRaw(client: pg.Client, therapistId: string, raw: Raw): Promise<void> {
  const { from, to, status = 'scheduled', service = null, seat = 0 } = raw;
  await client.query('BEGIN');
  const settings = { therapist_id: therapistId, reader: 'system', writer: 'system' };
  for (const [name, value] of Object.entries(settings))
    await client.query('SELECT set_config($1, $2, true)', [`app.${name}`, value]);
  await client.query(
    `INSERT INTO appointments (therapist_id, id, date, start_time, end_time, status, allow_overlap, is_exception, seat, service_id,
       created_at, updated_at, version, _json)
     VALUES ($1, gen_random_uuid(), '2031-04-01', $2, $3, $4, false, false, $5, $6, now(), now(), 1, '{}')`,
    [therapistId, from, to, status, seat, service],
  );
}

const nine = { from: '09:00', to: '10:00' };
const seated = { ...nine, service: randomUUID() };

describe('without the rules, the database', () => {
  let guard: pg.Client;

  // A rebuild by another spec would replace the tables, and these rows would be missing.
  beforeAll(async () => {
    guard = new pg.Client({ connectionString: stack().databaseUrl('scheduling_owner') });
    await guard.connect();
    await guard.query(`SELECT pg_advisory_lock(hashtext('rebuild scheduling'))`);
  });

  afterAll(() => guard.end());

  it.each([
    { how: 'overlap', rows: [nine, { from: '09:30', to: '10:30' }], by: 'appointments_no_double_booking' },
    { how: 'take one seat of a group', rows: [seated, seated], by: 'appointments_seat_key' },
  ])('refuses the later of two rows that $how', async ({ rows: [first, then], by: constraint }) => {
    const therapistId = randomUUID();
    const [one, other] = [await connected('scheduling'), await connected('scheduling')];
    await insertRaw(one, therapistId, first as Raw);
    const second = insertRaw(other, therapistId, then as Raw);
    second.catch(() => undefined);
    await one.query('COMMIT');
    await expect(second).rejects.toMatchObject({ code: '23P01', constraint });
    await forget(therapistId);
  });

  it.each([
    ['touch', { from: '09:00', to: '10:00' }, { from: '10:00', to: '11:00' }],
    [
      'include a cancelled one',
      { from: '09:00', to: '10:00', status: 'cancelled' },
      { from: '09:00', to: '10:00' },
    ],
  ])('accepts two rows that only %s', async (_, first: Raw, then: Raw) => {
    const therapistId = randomUUID();
    const client = await connected('scheduling');
    for (const raw of [first, then]) {
      await insertRaw(client, therapistId, raw);
      await client.query('COMMIT');
    }
    const watcher = await asOwner();
    const stored = await watcher.query('SELECT FROM appointments WHERE therapist_id = $1', [therapistId]);
    expect(stored.rowCount).toBe(2);
    await forget(therapistId);
  });

  it('reports a conflicting row to the caller as a double booking', async () => {
    const practice = await newPractice();
    const raw = await connected('scheduling');
    await insertRaw(raw, practice.therapistId, { from: '09:00', to: '10:00' });
    const { rows } = await raw.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const watcher = await asOwner();
    const asked = book(practice, { date: '2031-04-01', start_time: '09:30', end_time: '10:30' });
    await eventually('the request waits for the row', async () => {
      const waiting = await watcher.query(
        'SELECT FROM pg_stat_activity WHERE usename = $2 AND $1 = ANY (pg_blocking_pids(pid))',
        [rows[0]?.pid, 'scheduling'],
      );
      return waiting.rows.length > 0;
    });
    await raw.query('COMMIT');
    const { status, json } = await asked;
    expect({ status, json }).toMatchObject({ status: 409, json: { code: 'PM002' } });
    await forget(practice.therapistId);
  });
});

/** Deletes the rows: rows without events would count as differences when the read tables are checked. */
async function forget(therapistId: string): Promise<void> {
  await (await asOwner()).query('DELETE FROM appointments WHERE therapist_id = $1', [therapistId]);
}
