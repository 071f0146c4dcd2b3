// Responses that are kept under idempotency keys take space, also if the write changes nothing.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { RestResponse } from '@practice/query';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { makeTables, startProcess, statusOf } from '../testing/write-fixture.js';
import type { Sent, ServiceProcess } from '../testing/write-fixture.js';
import type { Stored } from './group/attempt.js';
import { runGroup } from './group/run-group.js';
import { keptUnder } from './idempotency.js';
import { requireSpace } from './quota.js';

const QUOTA = 20_000;

let scratch: ScratchSchema;
let owner: Client;
let running: ServiceProcess;
let practice: string;
const disk = { isLow: false };

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  owner = await scratch.connect();
  running = startProcess(scratch.url('scheduling'), 'decided', { quotaBytes: QUOTA, disk });
});

afterAll(async () => {
  await running.close();
  await scratch.drop();
});

beforeEach(async () => {
  disk.isLow = false;
  practice = randomUUID();
  const opening = (hour: number) => ({ open_time: `${hour}:00`, close_time: `${hour}:30` });
  const body = [8, 9, 10, 11, 12, 13, 14, 15].map((hour) => ({ day_of_week: 'monday', ...opening(hour) }));
  expect(await status({ method: 'POST', body })).toBe(201);
});

const status = (sent: Sent): Promise<number> => statusOf(running.write(practice, sent));

const newKey = () => ({ key: randomUUID(), hash: 'hash' });

/** A change without effect, to all records. */
const unchanged: Sent = { method: 'PATCH', query: 'day_of_week=eq.monday', body: { day_of_week: 'monday' } };
const shown = { ...unchanged, headers: { prefer: 'return=representation' } };

async function kept(): Promise<{ count: number; size: number; counted: number }> {
  const { rows } = await owner.query<{ count: number; size: number; counted: number }>(
    `SELECT count(*)::int, coalesce(sum(octet_length(body)), 0)::int AS size,
       (SELECT kept_bytes::int FROM scheduling.practice_head WHERE therapist_id = $1) AS counted
     FROM scheduling.idempotency WHERE therapist_id = $1`,
    [practice],
  );
  return rows[0] as (typeof rows)[0];
}

/** Keeps responses until the quota refuses one. @returns how many were kept */
async function fill(): Promise<number> {
  for (let count = 0; count < 30; count += 1) {
    const answer = await status({ ...shown, repeatable: newKey() });
    if (answer === 507) return count;
    expect(answer).toBe(200);
  }
  throw new Error('the quota never refused');
}

describe('the responses that a practice keeps under keys', () => {
  it('have the quota for themselves, and exceed it by at most one response', async () => {
    const count = await fill();
    const { size, counted, ...rows } = await kept();
    expect(rows).toEqual({ count });
    expect(counted).toBeGreaterThanOrEqual(QUOTA);
    expect(counted - size).toBeLessThan(count * 200);
    expect(size).toBeLessThan(QUOTA + (2 * size) / count);
  });

  it('are refused at the quota before the commit; short ones and writes without a key are not', async () => {
    const count = await fill();
    const [body] = [{ day_of_week: 'tuesday' }];
    const refused = running.write(practice, { ...shown, body, repeatable: newKey() });
    await expect(refused).rejects.toMatchObject({
      problem: { status: 507, code: 'PM507', hint: expect.stringContaining('return=minimal') },
    });
    expect((await running.write(practice, shown)).body).toContain('monday');
    expect(await status({ ...unchanged, repeatable: newKey() })).toBe(204);
    expect(await status({ ...unchanged, body, repeatable: newKey() })).toBe(204);
    expect(await status({ method: 'DELETE', query: 'day_of_week=eq.tuesday', repeatable: newKey() })).toBe(
      204,
    );
    expect((await kept()).count).toBe(count + 3);
  });

  it('are sent again at the quota, and have space again after a day', async () => {
    const first = { ...shown, repeatable: newKey() };
    const { body } = await running.write(practice, first);
    await fill();
    expect(await running.write(practice, first)).toMatchObject({ status: 200, body });
    await owner.query(
      `UPDATE scheduling.practice_head SET kept_since = kept_since - interval '24 hours' WHERE therapist_id = $1`,
      [practice],
    );
    expect(await status({ ...shown, repeatable: newKey() })).toBe(200);
    const { counted } = await kept();
    expect(counted).toBeLessThan(QUOTA / 2);
  });

  it('are counted for each practice of a group, also several of one practice', async () => {
    const reply: RestResponse = { status: 200, headers: {}, body: 'x'.repeat(2_000) };
    const other = randomUUID();
    await running.write(other, unchanged);
    const verdicts = await runGroup(
      running.database,
      [practice, practice, other].map((therapistId) => keeping(therapistId, reply)),
      'skip',
    );
    expect(verdicts.map(({ kind }) => kind)).toEqual(['value', 'value', 'value']);
    expect((await kept()).counted).toBe(4_004);
  });
});

/** A write that stores only its response. */
function keeping(therapistId: string, reply: RestResponse, more: Partial<Stored<unknown>> = {}) {
  const repeatable = newKey();
  const step = { kind: 'stored', how: 'COMMIT', finish: () => null, ...more } as const;
  return {
    ...({ therapistId, writer: 'owner', deadline: Infinity, size: 1, repeatable, batching: 'any' } as const),
    begin: () => ({
      *decide() {
        return { ...step, ...keptUnder(repeatable, () => reply) };
      },
    }),
  };
}

describe('a disk that is almost full', () => {
  it('has no space for a response under a key, also of a write that changes nothing', async () => {
    disk.isLow = true;
    expect(await status({ ...shown, repeatable: newKey() })).toBe(507);
    expect([await status(shown), (await kept()).count]).toEqual([200, 0]);
  });

  it('has space for the response that ends a batch which is taken back', async () => {
    disk.isLow = true;
    const reply: RestResponse = { status: 400, headers: {}, body: 'x'.repeat(2_000) };
    const keep = async (more?: Partial<Stored<unknown>>): Promise<unknown> =>
      (await runGroup(running.database, [keeping(practice, reply, more)], 'wait'))[0]?.kind;
    expect([await keep(), await keep({ keepsAlways: true })]).toEqual(['error', 'value']);
    expect((await kept()).count).toBe(1);
  });

  it('has no space for what is stored without an event', () => {
    const locked = { head: {} as never, isFull: false, isKeptFull: false, isDiskLow: true };
    expect(() => requireSpace(locked)).toThrow('the disk of the server is full');
    expect(() => requireSpace({ ...locked, isDiskLow: false })).not.toThrow();
  });
});
