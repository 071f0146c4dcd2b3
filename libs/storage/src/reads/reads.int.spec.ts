import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Rejection } from '@practice/core';
import { asSystem } from '@practice/log';
import { eventually, scratchDatabase, type ScratchDatabase } from '@practice/testing';
import { Client, type Pool } from 'pg';
import { isDatabaseUnavailable } from '../connections/database-errors.js';
import { openPool } from '../connections/pool.js';
import { ReadTimes } from './read-times.js';
import { Reads } from './reads.js';

let scratch: ScratchDatabase;
let pool: Pool;
let reads: Reads;

beforeAll(async () => {
  scratch = await scratchDatabase();
});
afterAll(() => scratch.drop());
beforeEach(async () => {
  pool = openPool({ service: 'test', url: scratch.url, connections: 3, onError: () => undefined });
  reads = new Reads(pool, { connections: 2, statementMs: 600 });
  // Opens the connections.
  await Promise.all(Array.from({ length: 40 }, () => reads.run(anybody(), one)));
});
afterEach(async () => {
  reads.close();
  await pool.end();
});

const anybody = () => asSystem(randomUUID());
const one = { text: 'SELECT 1', values: [] };
const sleep = (seconds: number, name = '') => ({ text: `SELECT pg_sleep($1), $2`, values: [seconds, name] });

const refusalOf = async (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Rejection ? error.problem : error),
  );

describe('the reads of a practice', () => {
  it('return their rows, also if they take longer than a shared connection allows', async () => {
    const practice = anybody();
    expect(await reads.run(practice, sleep(0.2, 'slow'))).toEqual([['', 'slow']]);
    expect(await reads.run(practice, one)).toEqual([['1']]);
  });

  it('delay the reads of others by some milliseconds, however many and slow they are', async () => {
    // The measurement is repeated, as a busy machine may pause at any moment.
    await eventually('at least 5 slow reads run after at most 800 ms', async () => {
      const greedy = anybody();
      const slow = Array.from({ length: 6 }, () => reads.run(greedy, sleep(0.4)).catch(() => undefined));
      let running = slow.length;
      for (const one of slow) void one.then(() => (running -= 1));
      const began = performance.now();
      // The first round waits behind the slow reads on their connections. Later rounds begin when these reads are known to be slow.
      for (let round = 0; round < 3; round++)
        expect(await Promise.all(Array.from({ length: 20 }, () => reads.run(anybody(), one)))).toHaveLength(
          20,
        );
      const isQuick = running >= 5 && performance.now() - began < 800;
      await Promise.all(slow);
      return isQuick;
    });
  });

  it('return their rows behind a statement that was cancelled before Postgres had parsed it', async () => {
    const holder = new Client({ connectionString: scratch.url });
    await holder.connect();
    await holder.query('CREATE TABLE held AS SELECT 1 AS id');
    await holder.query('BEGIN; LOCK TABLE held');
    // Only the first of them on a connection is parsed. It waits for the lock, and the others wait behind it.
    const asked = Promise.all(
      Array.from({ length: 40 }, () => reads.run(anybody(), { text: 'SELECT id FROM held', values: [] })),
    );
    await pause(200);
    await holder.end();
    expect(await asked).toEqual(Array.from({ length: 40 }, () => [['1']]));
  });

  it('end at the time limit of a statement', async () => {
    expect(await refusalOf(reads.run(anybody(), sleep(30)))).toMatchObject({ code: '57014' });
  });

  it('end when the caller has given up', async () => {
    const practice = anybody();
    const patient = new Reads(pool, { connections: 1, statementMs: 60_000 });
    const terms = { deadline: Date.now() + 3_000 };
    expect(await refusalOf(patient.run(practice, sleep(30), terms))).toMatchObject({ code: '57014' });
    expect(await refusalOf(patient.run(practice, one, { deadline: Date.now() - 1 }))).toMatchObject({
      code: 'PM503',
    });
    patient.close();
  });

  it('are refused for a while once they have taken too much time, and the reads of others are not', async () => {
    const greedy = anybody();
    const answers: unknown[] = [];
    while (answers.length < 30 && (answers.at(-1) as { status?: number } | undefined)?.status !== 429)
      answers.push(await refusalOf(reads.run(greedy, sleep(0.55))));
    expect(answers.length).toBeLessThan(30);
    expect(answers.at(-1)).toMatchObject({ status: 429, code: 'PM004' });
    expect(await reads.run(anybody(), sleep(0.1, 'other'))).toEqual([['', 'other']]);
  });

  it('are refused if too many of them wait', async () => {
    const greedy = anybody();
    await reads.run(greedy, sleep(0.3));
    const asked = Array.from({ length: 260 }, () => reads.run(greedy, sleep(0.001)));
    const refused = (await Promise.all(asked.map(refusalOf))).filter((problem) => problem !== undefined);
    expect(refused).toHaveLength(3);
    for (const problem of refused) expect(problem).toMatchObject({ status: 503, code: 'PM503' });
  });
});

describe('the time that a slow read costs its practice', () => {
  let single: Pool;
  let own: Reads;
  const practice = anybody();
  const times = new ReadTimes();
  const note = jest.spyOn(times, 'note');

  beforeEach(() => {
    single = openPool({ service: 'test', url: scratch.url, connections: 1, onError: () => undefined });
    own = new Reads(single, { connections: 1, statementMs: 600 }, times);
    // The next reads of the practice run on the connection for slow reads.
    times.note(practice.therapistId, 1_000, performance.now());
    note.mockClear();
  });
  afterEach(async () => {
    own.close();
    await single.end();
  });

  it('does not include the wait for a connection', async () => {
    const other = await single.connect();
    const began = performance.now();
    const rows = own.run(practice, one);
    await pause(300);
    const waited = performance.now() - began;
    other.release();
    expect(await rows).toEqual([['1']]);
    const [[, paid] = []] = note.mock.calls;
    expect(paid).toBeLessThanOrEqual(performance.now() - began - waited);
  });

  it('is nothing after the deadline: the read does not even wait for a connection', async () => {
    const other = await single.connect();
    try {
      const late = own.run(practice, one, { deadline: Date.now() - 1 });
      expect(await refusalOf(Promise.race([late, pause(60_000)]))).toMatchObject({ code: 'PM503' });
      expect(note).not.toHaveBeenCalled();
    } finally {
      other.release();
    }
  });

  it('does not include a read whose connection was lost', async () => {
    const lost = { text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] };
    expect(isDatabaseUnavailable(await refusalOf(own.run(practice, lost)))).toBe(true);
    expect(note).not.toHaveBeenCalled();
  });
});

describe('reads that are closed', () => {
  it('fail as unavailable and keep no connection, while one opens and while reads wait', async () => {
    const own = openPool({ service: 'test', url: scratch.url, connections: 2, onError: () => undefined });
    const closed = new Reads(own, { connections: 1, statementMs: 600 });
    const practice = anybody();
    const asked = Array.from({ length: 20 }, () => refusalOf(closed.run(practice, one)));
    closed.close();
    const errors = await Promise.all(asked);
    expect(own.totalCount - own.idleCount).toBe(0);
    expect(errors.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
    await own.end();
  });
});
