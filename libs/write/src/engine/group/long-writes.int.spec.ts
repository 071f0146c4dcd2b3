// Writes whose decision takes long: the process serves other writes meanwhile.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { busy } from '@practice/core';
import { scratchSchema, type ScratchSchema } from '@practice/testing';
import { makeTables, startProcess, statusOf, type ServiceProcess } from '../../testing/write-fixture.js';
import type { Grouped } from './member.js';
import { WriteQueue } from './write-queue.js';

let scratch: ScratchSchema;
let process: ServiceProcess;
let queue: WriteQueue;

beforeAll(async () => {
  scratch = await scratchSchema('scheduling');
  await makeTables(scratch.url('scheduling_owner'));
  process = startProcess(scratch.url('scheduling'), 'decided');
  queue = new WriteQueue(process.database, { publish: () => undefined } as never);
});

afterAll(async () => {
  await process.close();
  await scratch.drop();
});

const opening = { day_of_week: 'monday', open_time: '08:00', close_time: '09:00' };
const write = (practice: string): Promise<unknown> =>
  queue.write(process.memberOf(practice, { method: 'POST', body: opening }));

/** A write that takes steps until it may end, or gives up. */
const long = (therapistId: string, mayEnd: () => boolean): Grouped<unknown> => ({
  ...{ therapistId, deadline: Date.now() + 20_000, batching: 'none', size: 1, writer: 'owner' },
  begin: () => ({
    *decide() {
      const givesUp = Date.now() + 10_000;
      while (!mayEnd() && Date.now() < givesUp) yield;
      return { kind: 'settled', value: mayEnd() ? 'ended' : 'gave up' };
    },
  }),
});

it('a long decision lets the writes of another practice through', async () => {
  let isWritten = false;
  const first = queue.write(long(randomUUID(), () => isWritten));
  await write(randomUUID());
  isWritten = true;
  expect(await first).toBe('ended');
});

it('a long decision ends when its caller has disconnected, and the practice can write again', async () => {
  const practice = randomUUID();
  const gone = { aborted: false };
  const first = queue.write({ ...long(practice, () => false), gone });
  const outcome = expect(first).rejects.toMatchObject({ problem: busy });
  const next = write(practice);
  await write(randomUUID());
  gone.aborted = true;
  await outcome;
  expect(await statusOf(next.then((outcome) => (outcome as { value: never }).value))).toBe(201);
});
