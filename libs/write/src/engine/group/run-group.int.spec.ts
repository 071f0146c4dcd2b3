// One group of writes at a time: refusals, constraints, row-level security, locks and crashes.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { lockPractices, type ActingRole, type Statement } from '@practice/log';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { makeTables, service, startProcess, statusOf } from '../../testing/write-fixture.js';
import type { Sent, ServiceProcess } from '../../testing/write-fixture.js';
import type { Attempt } from './attempt.js';
import type { Grouped } from './member.js';
import { runGroup } from './run-group.js';
import { WriteQueue } from './write-queue.js';

let scratch: ScratchSchema;
let owner: Client;
let deciding: ServiceProcess;
let leaving: ServiceProcess;
let one: string;
let other: string;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  owner = await scratch.connect();
  deciding = startProcess(scratch.url('scheduling'), 'decided');
  leaving = startProcess(scratch.url('scheduling'), 'left to the database');
});

afterAll(async () => {
  await Promise.all([deciding.close(), leaving.close()]);
  await scratch.drop();
});

/** Practices that have written before: the first write of a practice never shares a group. */
beforeEach(async () => {
  [one, other] = [randomUUID(), randomUUID()];
  for (const practice of [one, other]) await deciding.write(practice, add(20));
});

const hours = (opens: number): object => ({
  day_of_week: 'monday',
  open_time: `${String(opens).padStart(2, '0')}:00`,
  close_time: `${String(opens + 1).padStart(2, '0')}:00`,
});

const add = (opens: number, id: string = randomUUID()): Sent => ({
  method: 'POST',
  body: { id, ...hours(opens) },
});

const group = (members: readonly Grouped<unknown>[], { database }: ServiceProcess = deciding) =>
  runGroup(database, members, 'skip');

async function opening(practice: string): Promise<number[]> {
  const { rows } = await owner.query<{ opens: number }>(
    `SELECT extract(hour FROM open_time)::int AS opens FROM scheduling.business_hours WHERE therapist_id = $1 ORDER BY 1`,
    [practice],
  );
  return rows.map(({ opens }) => opens);
}

async function positions(practice: string): Promise<number[]> {
  const { rows } = await owner.query<{ position: number }>(
    `SELECT position::int FROM scheduling.events WHERE therapist_id = $1 ORDER BY 1`,
    [practice],
  );
  return rows.map(({ position }) => position);
}

/** A member that only runs this statement. */
const running = (therapistId: string, statement: Statement): Grouped<unknown> => ({
  therapistId,
  ...{ deadline: Date.now() + 20_000, batching: 'any', size: 1, writer: 'owner' },
  begin: (): Attempt<unknown> => ({
    *decide() {
      return { kind: 'stored', how: 'COMMIT', after: [statement], finish: ([rows]) => rows };
    },
  }),
});

describe('a group', () => {
  it('is one transaction: each practice’s writes are decided one after another', async () => {
    const id = randomUUID();
    const outcomes = await group([
      deciding.memberOf(one, add(8, id)),
      deciding.memberOf(other, add(8)),
      deciding.memberOf(one, { method: 'PATCH', query: `id=eq.${id}`, body: hours(9), ifMatch: '"1"' }),
      deciding.memberOf(one, add(8)),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['value', 'value', 'value', 'value']);
    expect([await opening(one), await opening(other)]).toEqual([
      [8, 9, 20],
      [8, 20],
    ]);
    expect(await positions(one)).toEqual([1, 2, 3, 4]);
    const { rows } = await owner.query(
      `SELECT DISTINCT xmin::text FROM scheduling.events WHERE therapist_id = ANY ($1) AND position > 1`,
      [[one, other]],
    );
    expect(rows).toHaveLength(1);
  });

  it('is not harmed by a write that is refused', async () => {
    const outcomes = await group([
      deciding.memberOf(one, add(8)),
      deciding.memberOf(one, add(8)),
      deciding.memberOf(one, add(9)),
      deciding.memberOf(other, {
        method: 'PATCH',
        query: `id=eq.${randomUUID()}`,
        body: hours(9),
        ifMatch: '"1"',
      }),
      deciding.memberOf(other, add(10)),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['value', 'error', 'value', 'error', 'value']);
    expect(outcomes[1]).toMatchObject({ error: { problem: { code: 'PM003' } } });
    expect(outcomes[3]).toMatchObject({ error: { problem: { code: 'PM006' } } });
    expect([await opening(one), await opening(other)]).toEqual([
      [8, 9, 20],
      [10, 20],
    ]);
  });

  it('carries out a request once if the group contains it twice', async () => {
    const repeatable = { key: randomUUID(), hash: 'h' };
    const sent = { ...add(8), repeatable };
    const outcomes = await group([deciding.memberOf(one, sent), deciding.memberOf(one, sent)]);
    expect(outcomes).toMatchObject([
      { value: { value: { status: 201 } } },
      { value: { value: { status: 201, headers: { 'Idempotency-Replayed': 'true' } } } },
    ]);
    expect(await positions(one)).toEqual([1, 2]);
  });

  it('leaves out a practice that another transaction holds', async () => {
    await owner.query('BEGIN');
    const { text, values } = lockPractices(service, [other], 'wait');
    await owner.query(text, values as unknown[]);
    const outcomes = await group([deciding.memberOf(one, add(8)), deciding.memberOf(other, add(8))]);
    await owner.query('ROLLBACK');
    expect(outcomes.map(({ kind }) => kind)).toEqual(['value', 'lock not acquired']);
    expect([await opening(one), await opening(other)]).toEqual([[8, 20], [20]]);
  });
});

describe('a constraint that refuses one write', () => {
  it('undoes the group, whose writes must be retried unbatched', async () => {
    const outcomes = await group([leaving.memberOf(one, add(20)), leaving.memberOf(other, add(8))], leaving);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['retry unbatched', 'retry unbatched']);
    expect([await opening(one), await opening(other)]).toEqual([[20], [20]]);
  });

  it('fails that write only, with its own error', async () => {
    const practices = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const practice = randomUUID();
        await leaving.write(practice, add(20));
        return practice;
      }),
    );
    const written = practices.map((practice, index) =>
      leaving.write(practice, add(index % 4 === 0 ? 20 : 8)),
    );
    const settled = await Promise.allSettled(written);
    expect(settled.map(({ status }) => status)).toEqual(
      practices.map((_, index) => (index % 4 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(settled[0]).toMatchObject({ reason: { problem: { status: 409, code: '23505' } } });
  });
});

describe('row-level security', () => {
  const all = { text: 'SELECT DISTINCT therapist_id FROM scheduling.business_hours ORDER BY 1', values: [] };

  it('shows a group the rows of its practices only', async () => {
    const outcomes = await group([running(one, all), running(other, { ...all, text: `${all.text} ` })]);
    const rows = [one, other].sort().map((practice) => [practice]);
    expect(outcomes).toEqual([
      { kind: 'value', value: rows },
      { kind: 'value', value: rows },
    ]);
    expect(await group([running(one, all)])).toEqual([{ kind: 'value', value: [[one]] }]);
  });

  it('lets a group write no row of another practice', async () => {
    const stranger = randomUUID();
    const open = (practice: string): Statement => ({
      text: `INSERT INTO scheduling.practice_head (therapist_id, position) VALUES ($1, 0)`,
      values: [practice],
    });
    const outcomes = await group([running(one, open(stranger)), deciding.memberOf(other, add(8))]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['retry unbatched', 'retry unbatched']);
    expect(await group([running(one, open(stranger))])).toMatchObject([
      { kind: 'error', error: { code: '42501' } },
    ]);
  });
});

describe('the roles of a group', () => {
  const as = (writer: ActingRole, member: Grouped<unknown>): Grouped<unknown> => ({ ...member, writer });

  it('may differ between its practices', async () => {
    const outcomes = await group([
      as('owner', deciding.memberOf(one, add(8))),
      as('therapist', deciding.memberOf(other, add(8))),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['value', 'value']);
    expect([await opening(one), await opening(other)]).toEqual([
      [8, 20],
      [8, 20],
    ]);
  });

  it('apply only in their own practice: a role that may not write there stores nothing', async () => {
    const unchecked = as('front_desk', deciding.memberOf(other, add(8)));
    const outcomes = await group([as('owner', deciding.memberOf(one, add(8))), unchecked]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['retry unbatched', 'retry unbatched']);
    expect(await group([unchecked])).toMatchObject([{ kind: 'error', error: { code: '42501' } }]);
    expect([await positions(one), await positions(other)]).toEqual([[1], [1]]);
  });

  it('are one for each practice, so writes of another role follow in the next group', async () => {
    const queue = new WriteQueue(deciding.database, { publish: () => undefined } as never);
    const roles = ['owner', 'therapist', 'owner', 'system'] as const;
    const written = roles.map((role, index) => queue.write(as(role, deciding.memberOf(one, add(8 + index)))));
    await Promise.all(written);
    expect(await opening(one)).toEqual([8, 9, 10, 11, 20]);
    const mixed = group([
      as('owner', deciding.memberOf(one, add(1))),
      as('therapist', deciding.memberOf(one, add(2))),
    ]);
    await expect(mixed).rejects.toThrow('one role');
  });
});

describe('work in a transaction of its own', () => {
  const working = (deadline: number, work: () => Promise<void>): Grouped<unknown> => ({
    ...{ therapistId: one, deadline, batching: 'none', size: 1, writer: 'owner' },
    begin: (): Attempt<unknown> => ({
      *decide() {
        yield work;
        return { kind: 'settled', value: undefined };
      },
    }),
  });

  it('does not begin once its caller no longer waits', async () => {
    const queue = new WriteQueue(deciding.database, { publish: () => undefined } as never);
    const begun: string[] = [];
    let free = (): void => undefined;
    const isFree = new Promise<void>((done) => (free = done));
    const first = queue.write(working(Infinity, () => isFree));
    const late = queue.write(working(Date.now() + 5, async () => void begun.push('late')));
    const next = queue.write(working(Date.now() + 60_000, async () => void begun.push('next')));
    await pause(10);
    free();
    await expect(late).rejects.toMatchObject({ problem: { status: 503 } });
    await Promise.all([first, next]);
    expect(begun).toEqual(['next']);
  });
});

describe('an error that a write cannot explain', () => {
  it('is returned as it is, and as many groups as before may start', async () => {
    const unexplained = (): Grouped<unknown> => ({
      ...running(one, { text: 'SELECT 1 / 0', values: [] }),
      begin: (): Attempt<unknown> => ({
        *decide() {
          return {
            ...{ kind: 'stored', how: 'COMMIT', after: [{ text: 'SELECT 1 / 0', values: [] }] },
            finish: () => undefined,
            explain: () => {
              throw new Error('no explanation');
            },
          };
        },
      }),
    });
    expect(await group([unexplained()])).toMatchObject([{ kind: 'error', error: { code: '22012' } }]);
    const queue = new WriteQueue(deciding.database, { publish: () => undefined } as never);
    for (let again = 0; again < 10; again += 1)
      await expect(queue.write(unexplained())).rejects.toMatchObject({ code: '22012' });
    await queue.write(deciding.memberOf(one, add(8)));
    expect(await opening(one)).toEqual([8, 20]);
  });
});

describe('a crash', () => {
  const crash: Statement = { text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] };

  it('before the commit undoes every write of the group', async () => {
    const outcomes = await group([
      deciding.memberOf(one, add(8)),
      running(other, crash),
      deciding.memberOf(other, add(8)),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['error', 'error', 'error']);
    expect([await opening(one), await opening(other)]).toEqual([[20], [20]]);
  });

  it('at any moment leaves each write stored or not stored, and a retry with its key completes it once', async () => {
    const writes = Array.from({ length: 400 }, (_, index) => ({
      practice: index % 2 === 0 ? one : other,
      sent: {
        method: 'POST',
        body: { ...hours(index % 20), day_of_week: ['tuesday', 'friday', 'sunday'][index % 3] },
        repeatable: { key: `key ${index}`, hash: String(index) },
      } satisfies Sent,
    }));
    const until = async ({ practice, sent }: (typeof writes)[number]): Promise<number> => {
      for (;;) {
        const status = await statusOf(deciding.write(practice, sent));
        if (status !== 503) return status;
      }
    };
    const written = Promise.all(writes.map(until));
    for (let killed = 0; killed < 10; killed += 1) {
      await pause(20 + killed * 7);
      await owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'scheduling' AND datname = current_database()`,
      );
    }
    const statuses = await written;
    const taken = [...(await opening(one)), ...(await opening(other))];
    expect(statuses.filter((status) => status === 201)).toHaveLength(taken.length - 2);
    for (const practice of [one, other])
      expect(await positions(practice)).toEqual((await opening(practice)).map((_, index) => index + 1));
  });
});
