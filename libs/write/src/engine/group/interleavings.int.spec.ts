// Any interleaving of writes of two processes has the result of some sequential order: the order of the writes that had an effect
// in the log. Every other response is as it would be at some place in that order.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate as tick } from 'node:timers/promises';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import fc from 'fast-check';
import type { Client } from 'pg';
import { makeTables, startProcess, statusOf, type ServiceProcess } from '../../testing/write-fixture.js';
import { emptyDay, operation, outcomeOf, sentBy } from '../../testing/hours-model.js';
import type { Hours, Operation } from '../../testing/hours-model.js';

let scratch: ScratchSchema;
let owner: Client;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  owner = await scratch.connect();
});

afterAll(() => scratch.drop());

interface Asked {
  readonly operation: Operation;
  readonly practice: number;
  readonly process: number;
  readonly delay: number;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  operation,
  practice: fc.constantFrom(0, 0, 1),
  process: fc.constantFrom(0, 0, 0, 1),
  delay: fc.nat(4),
});

interface Response extends Asked {
  readonly requestId: string;
  readonly status: number;
}

async function respond(
  processes: readonly ServiceProcess[],
  practices: readonly string[],
  one: Asked,
): Promise<Response> {
  const requestId = randomUUID();
  for (let turn = 0; turn < one.delay; turn += 1) await tick();
  const therapistId = practices[one.practice] as string;
  const process = processes[one.process] as ServiceProcess;
  const status = await statusOf(process.write(therapistId, { ...sentBy(one.operation), requestId }));
  return { ...one, requestId, status };
}

async function query<T extends object>(sql: string, practice: string): Promise<T[]> {
  const { rows } = await owner.query<T>(sql, [practice]);
  return rows;
}

/** The requests that had an effect, in the order of the log. */
async function effective(practice: string): Promise<string[]> {
  const rows = await query<{ position: string; request: string }>(
    `SELECT position, metadata->>'requestId' AS request FROM scheduling.events WHERE therapist_id = $1 ORDER BY position`,
    practice,
  );
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index + 1));
  const head = await query(
    `SELECT coalesce(max(position), 0)::int AS position FROM scheduling.practice_head WHERE therapist_id = $1`,
    practice,
  );
  expect(head).toEqual([{ position: rows.length }]);
  return [...new Set(rows.map(({ request }) => request))];
}

async function checkPractice(practice: string, responses: readonly Response[]): Promise<void> {
  const order = await effective(practice);
  const states = [emptyDay];
  for (const requestId of order) {
    const response = responses.find((one) => one.requestId === requestId) as Response;
    const { status, hours } = outcomeOf(response.operation, states.at(-1) as Hours);
    expect([response.operation, response.status]).toEqual([response.operation, status]);
    states.push(hours);
  }
  for (const { requestId, operation, status } of responses) {
    if (order.includes(requestId)) continue;
    const possible = states.map((state) => {
      const outcome = outcomeOf(operation, state);
      return outcome.hours === state ? outcome.status : null;
    });
    expect([operation, possible]).toEqual([operation, expect.arrayContaining([status])]);
  }
  const stored = await query<{ id: string }>(
    `SELECT id, day_of_week AS day, extract(hour FROM open_time)::int AS opens, extract(hour FROM close_time)::int AS closes, version
     FROM scheduling.business_hours WHERE therapist_id = $1`,
    practice,
  );
  const present = [...(states.at(-1) as Hours)].flatMap(([id, { span, version }]) =>
    span === null ? [] : [{ id, ...span, version }],
  );
  expect(stored.sort(byId)).toEqual(present.sort(byId));
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

describe.each(['decided', 'left to the database'] as const)('writes whose rule is %s', (rule) => {
  let processes: ServiceProcess[];

  beforeAll(() => {
    processes = [1, 2].map(() => startProcess(scratch.url('scheduling'), rule));
  });

  afterAll(async () => {
    await Promise.all(processes.map(({ close }) => close()));
  });

  it('have the result of some sequential order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 40 }), async (all) => {
        const practices = [randomUUID(), randomUUID()];
        const responses = await Promise.all(all.map((one) => respond(processes, practices, one)));
        for (const [index, practice] of practices.entries())
          await checkPractice(
            practice,
            responses.filter((one) => one.practice === index),
          );
      }),
      { numRuns: 60 },
    );
  });
});
