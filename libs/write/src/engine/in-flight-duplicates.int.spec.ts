// Requests with the Idempotency-Key of a request that still runs, in the same process and in another.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually, scratchSchema, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import {
  makeTables,
  service,
  startProcess,
  type Sent,
  type ServiceProcess,
} from '../testing/write-fixture.js';
import { stillRunning } from './in-flight-duplicates.js';

let scratch: ScratchSchema;
let processes: [ServiceProcess, ServiceProcess];
let other: Client;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  processes = [
    startProcess(scratch.url('scheduling'), 'decided'),
    startProcess(scratch.url('scheduling'), 'decided'),
  ];
});
afterAll(async () => {
  await Promise.all(processes.map((running) => running.close()));
  await scratch.drop();
});
beforeEach(async () => {
  other = await scratch.connect();
});
afterEach(() => other.end());

const WAITS_FOR_ME =
  'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';

it.each([
  ['the same process', 0],
  ['another process', 1],
] as const)(
  'a duplicate in %s gets 409 while the first request still runs, and the write is done once',
  async (_where, index) => {
    const [practice, id] = [randomUUID(), randomUUID()];
    const [first] = processes;
    const hours = { id, day_of_week: 'monday', open_time: '09:00', close_time: '10:00' };
    await first.write(practice, { method: 'POST', body: hours });
    const change: Sent = {
      method: 'PATCH',
      query: `id=eq.${id}`,
      headers: { prefer: 'return=representation' },
      body: { close_time: '11:00' },
      repeatable: { key: id, hash: 'the same' },
    };
    await other.query('BEGIN');
    await other.query(`SELECT FROM ${service}.business_hours WHERE id = $1 FOR UPDATE`, [id]);
    const done = first.write(practice, change);
    await eventually('the first waits', async () => (await other.query(WAITS_FOR_ME)).rowCount);
    const duplicate = processes[index].write(practice, { ...change, waitMs: 1_500 });
    await expect(duplicate).rejects.toMatchObject({ problem: stillRunning });
    await other.query('COMMIT');
    const { status, body, headers } = await done;
    expect([status, headers['Idempotency-Replayed']]).toEqual([200, undefined]);
    expect(await processes[index].write(practice, change)).toMatchObject({
      ...{ status, body },
      headers: { 'Idempotency-Replayed': 'true' },
    });
  },
);
