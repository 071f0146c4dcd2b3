// A practice that approaches its quota of storage: how its size is counted, and which writes are refused in groups with other practices.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { makeTables, startProcess, statusOf } from '../testing/write-fixture.js';
import type { Sent, ServiceProcess } from '../testing/write-fixture.js';
import { runGroup } from './group/run-group.js';

const QUOTA = 5_000;

let scratch: ScratchSchema;
let owner: Client;
let limited: ServiceProcess;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  owner = await scratch.connect();
  limited = startProcess(scratch.url('scheduling'), 'decided', { quotaBytes: QUOTA });
});

afterAll(async () => {
  await limited.close();
  await scratch.drop();
});

const hours = (opens: number, id: string = randomUUID()) => ({
  id,
  day_of_week: 'monday',
  open_time: `${10 + opens}:00`,
  close_time: `${11 + opens}:00`,
});

const add = (...bodies: readonly object[]): Sent => ({ method: 'POST', body: bodies });

const statusOfWrite = (practice: string, sent: Sent): Promise<number> =>
  statusOf(limited.write(practice, sent));

async function bytesOf(practice: string): Promise<number> {
  const { rows } = await owner.query<{ bytes: string }>(
    'SELECT bytes FROM scheduling.practice_head WHERE therapist_id = $1',
    [practice],
  );
  return Number(rows[0]?.bytes);
}

/** Writes until the quota refuses. @returns the records that were stored */
async function fill(practice: string): Promise<string[]> {
  const stored: string[] = [];
  for (let opens = 0; opens < 13; opens += 1) {
    const body = hours(opens);
    const status = await statusOfWrite(practice, add(body));
    if (status === 507) return stored;
    expect(status).toBe(201);
    stored.push(body.id);
  }
  throw new Error('the quota never refused');
}

describe('the size of a practice', () => {
  it('is the size of its events, in one write or in several', async () => {
    const [single, bulk] = [randomUUID(), randomUUID()];
    for (const opens of [0, 1, 2]) await limited.write(single, add(hours(opens)));
    await limited.write(bulk, add(hours(0), hours(1), hours(2)));
    const { rows } = await owner.query<{ size: string }>(
      `SELECT sum(octet_length(to_json(e)::text)) AS size FROM scheduling.events AS e WHERE therapist_id = $1`,
      [single],
    );
    // The JSON of Postgres differs a little: it also has the hash, and other spaces.
    expect(Math.abs((await bytesOf(single)) / Number(rows[0]?.size) - 1)).toBeLessThan(0.25);
    expect(Math.abs((await bytesOf(single)) - (await bytesOf(bulk)))).toBeLessThan(20);
  });

  it('includes what a change and a deletion add', async () => {
    const practice = randomUUID();
    const body = hours(0);
    await limited.write(practice, add(body));
    const created = await bytesOf(practice);
    await limited.write(practice, {
      method: 'PATCH',
      query: `id=eq.${body.id}`,
      body: { open_time: '10:30' },
    });
    const changed = await bytesOf(practice);
    await limited.write(practice, { method: 'DELETE', query: `id=eq.${body.id}` });
    expect(changed).toBeGreaterThan(created);
    expect(await bytesOf(practice)).toBeGreaterThan(changed);
  });
});

describe('a practice that has reached its quota', () => {
  it('exceeds the quota by at most one write', async () => {
    const practice = randomUUID();
    const stored = await fill(practice);
    const bytes = await bytesOf(practice);
    expect(bytes).toBeGreaterThanOrEqual(QUOTA);
    expect(bytes).toBeLessThan(QUOTA + (2 * bytes) / stored.length);
  });

  it('cannot make bulk writes, upserts and changes, but can make deletions and changes without effect', async () => {
    const practice = randomUUID();
    const [first = '', second = ''] = await fill(practice);
    const merging = { prefer: 'resolution=merge-duplicates' };
    const sent: Sent[] = [
      add(hours(11), hours(12)),
      { ...add(hours(12, first)), headers: merging },
      { method: 'PATCH', query: `id=eq.${first}`, body: { open_time: '10:30' } },
      { method: 'PATCH', query: `id=eq.${first}`, body: { open_time: '10:00' } },
      { method: 'DELETE', query: `id=in.(${first},${second})` },
      add(hours(0)),
    ];
    const statuses: number[] = [];
    for (const one of sent) statuses.push(await statusOfWrite(practice, one));
    expect(statuses).toEqual([507, 507, 507, 204, 204, 507]);
  });

  it('is the only practice that a group refuses', async () => {
    const [full, other] = [randomUUID(), randomUUID()];
    const [first = ''] = await fill(full);
    await limited.write(other, add(hours(0)));
    const verdicts = await runGroup(
      limited.database,
      [
        limited.memberOf(full, add(hours(12))),
        limited.memberOf(other, add(hours(12))),
        limited.memberOf(full, { method: 'DELETE', query: `id=eq.${first}` }),
        limited.memberOf(other, add(hours(11))),
      ],
      'skip',
    );
    expect(verdicts.map(({ kind }) => kind)).toEqual(['error', 'value', 'value', 'value']);
    expect(verdicts[0]).toMatchObject({ error: { problem: { status: 507, code: 'PM507' } } });
  });
});
