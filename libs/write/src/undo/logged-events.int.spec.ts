import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allSteps } from '@practice/core';
import { randomUUID } from 'node:crypto';
import { appendAll, openPractice, sharedTables, type NewEvent, type Statement } from '@practice/log';
import { scratchService, type ScratchService } from '@practice/testing';
import pg from 'pg';
import { eventsOfActor, eventsOfChanges, lastChanges, readEvents } from './logged-events.js';
import type { LoggedEvent } from './logged-events.js';

const LENGTH = 3000;
const practice = randomUUID();
const streamId = randomUUID();
const lamp = { aggregate: 'lamp', streamId, version: 1 };
const user = randomUUID();
let scratch: ScratchService;
let admin: pg.Client;

/** The time of a position: an event a minute. */
const timeOf = (position: number): string =>
  new Date(Date.parse('2026-05-01T00:00:00Z') + position * 60_000).toISOString();

/** One lamp. It is moved by the second change only; all later events are about its brightness. */
const event = (position: number): NewEvent => ({
  type: position === 1 ? 'LampInstalled' : 'LampChanged',
  lifecycle: { created: ['LampInstalled'], deleted: [] },
  ...{ aggregate: 'lamp', streamId, version: position, schemaVersion: 1 },
  data: position === 2 ? { room: 'kitchen' } : { brightness: position },
  metadata: {
    ...{ eventId: randomUUID(), requestId: 'r', correlationId: 'c', changeId: `houses:${position}` },
    actor: { kind: 'user', id: position % 10 === 0 ? user : randomUUID() },
  },
  recordedAt: timeOf(position),
});

beforeAll(async () => {
  scratch = await scratchService(sharedTables);
  admin = await scratch.connect();
  await rowsOf(openPractice(scratch.service, practice));
  const events = Array.from({ length: LENGTH }, (_, index) => event(index + 1));
  await rowsOf(allSteps(appendAll(scratch.service, [{ therapistId: practice, position: 0, events }])));
});

afterAll(() => scratch.drop());

const rowsOf = async ({ text, values }: Statement): Promise<(string | null)[][]> =>
  (
    await admin.query<(string | null)[]>({
      ...{ text, values: values as unknown[], rowMode: 'array' },
      types: { getTypeParser: () => String },
    })
  ).rows;

/** The most rows that a step of the plan returned, or that a filter threw away. */
async function rowsMet({ text, values }: Statement): Promise<number> {
  await admin.query(`PREPARE measured AS ${text}`);
  const literals = (values as unknown[]).map(literal).join();
  const { rows } = await admin.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, COSTS off) EXECUTE measured(${literals})`,
  );
  await admin.query('DEALLOCATE measured');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const met = [...plan.matchAll(/(?:Rows Removed by [ \w]+: | rows=)(\d+)/g)].map(([, count]) =>
    Number(count),
  );
  return Math.max(...met);
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value));
}

const log = () => ({ service: scratch.service, therapistId: practice });

describe('the events of an actor', () => {
  const found = async (since: string, until: string | null = null): Promise<number[]> =>
    allSteps(
      readEvents(
        await rowsOf(eventsOfActor(log(), { id: user, name: null, oauthClientId: null, since, until }, 5000)),
      ),
    ).map(({ position }) => position);

  it.each([1, 9, 10, 11, 1500, 2990, 2991, 3001])(
    'are the events since a time, the newest first: since position %i',
    async (first) => {
      const expected = Array.from({ length: 300 }, (_, index) => 3000 - index * 10);
      expect(await found(timeOf(first))).toEqual(expected.filter((position) => position >= first));
    },
  );

  it('end at a time', async () => {
    expect(await found(timeOf(100), timeOf(120))).toEqual([110, 100]);
  });

  it('are found without reading the events before', async () => {
    const by = { id: user, name: null, oauthClientId: null, since: timeOf(2950), until: null };
    // The events of the hour before, and the events of others since.
    expect(await rowsMet(eventsOfActor(log(), by, 5000))).toBeLessThan(120);
  });
});

describe('the events of changes', () => {
  const change = (position: number) => ({ id: `houses:${position}`, position });

  it('are the events from the position of each change on, the newest first', async () => {
    const wanted = eventsOfChanges(log(), [20, 2000, LENGTH].map(change), 10);
    expect(allSteps(readEvents(await rowsOf(wanted))).map(({ position }) => position)).toEqual([
      LENGTH,
      2000,
      20,
    ]);
  });

  it('are not found for a change that is not at its position', async () => {
    const wanted = eventsOfChanges(log(), [{ id: 'houses:20', position: 21 }], 10);
    expect(await rowsOf(wanted)).toEqual([]);
  });

  it('are found without reading other events', async () => {
    await admin.query('SET plan_cache_mode = force_generic_plan');
    expect(await rowsMet(eventsOfChanges(log(), [change(1500)], 10))).toBeLessThan(5);
  });
});

describe('the last change of a column', () => {
  const last = async (columns: readonly string[], except: readonly string[] = []) => {
    const statement = lastChanges(log(), { event: lamp, columns, deletions: ['LampGone'], except });
    return (await rowsOf(statement)).map(([name, text = null]) => [
      name,
      (JSON.parse(text ?? '') as LoggedEvent).position,
    ]);
  };

  it('is found however many events follow', async () => {
    expect(await last(['room', 'brightness', 'owner'])).toEqual([
      ['room', 2],
      ['brightness', LENGTH],
    ]);
  });

  it('is not one of the changes that the undo takes back', async () => {
    expect(await last(['brightness'], [`houses:${LENGTH}`])).toEqual([['brightness', LENGTH - 1]]);
  });

  it('is the last change of the record if no column is named', async () => {
    expect(await last([])).toEqual([[null, LENGTH]]);
  });
});
