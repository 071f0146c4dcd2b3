// A rebuild is killed in the middle. The next rebuild continues with the practices that are not folded yet.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isNativeError } from 'node:util/types';
import { allSteps } from '@practice/core';
import { expenses } from '@practice/contracts';
import { appendAll, openPractice, type Statement } from '@practice/log';
import type { Resource } from '@practice/resource';
import { eventually, scratchSchema, systemMetadata, type ScratchSchema } from '@practice/testing';
import type { Client } from 'pg';
import { serviceDdl } from '@practice/storage';
import { foldedTables } from './differences.js';
import type { FoldProgress } from './fold-new.js';
import { rebuild } from './rebuild.js';

const service = 'finance';
const resources = [expenses as unknown as Resource];
const PRACTICES = 120;

let database: ScratchSchema;
let owner: Client;
let url: string;

beforeAll(async () => {
  database = await scratchSchema(service);
  url = database.url('finance_owner');
  owner = await database.connect(url);
  for (const statement of await serviceDdl({ service }, url)) await owner.query(statement);
  for (let count = 0; count < PRACTICES; count += 1) await record(randomUUID(), 0);
});

afterAll(() => database.drop());

const run = ({ text, values }: Statement) => owner.query(text, values as unknown[]);

/** Appends an event of an expense to a log. */
async function record(practice: string, position: number): Promise<void> {
  const [id, at] = [randomUUID(), '2026-05-01T08:00:00+00:00'];
  const data = { id, therapist_id: practice, date: '2026-05-01', amount: '12.50', category: 'rent' };
  await run(openPractice(service, practice));
  const event = {
    ...{ aggregate: 'expense', streamId: id, schemaVersion: 1, type: 'ExpenseRecorded', version: 1 },
    lifecycle: { created: ['ExpenseRecorded'], deleted: ['ExpenseDeleted'] },
    metadata: systemMetadata(),
    data: { ...data, created_at: at, updated_at: at },
    recordedAt: at,
  };
  await run(allSteps(appendAll(service, [{ therapistId: practice, position, events: [event] }])));
}

/** Starts a rebuild and ends its connections once the first practice is folded. @returns its error */
async function killed(): Promise<unknown> {
  let killing: Promise<unknown> | undefined;
  // The rebuild waits for this lock before its next practices, so it cannot end before it is killed.
  const kill = async (): Promise<void> => {
    await owner.query('BEGIN; LOCK TABLE finance.events IN ACCESS EXCLUSIVE MODE');
    await owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name ~ '^finance (rebuild|fold)'`,
    );
    await owner.query('COMMIT');
  };
  const onProgress = (): void => void (killing ??= kill());
  const outcome = await rebuild({ service, url, resources, check: false, onProgress }).catch(
    (error: unknown) => error,
  );
  await killing;
  return outcome;
}

const count = async (text: string): Promise<number> =>
  (await owner.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${text}`)).rows[0]?.count ?? 0;

it('continues with the remaining practices, and folds those again that have written in the meantime', async () => {
  // Not `toBeInstanceOf(Error)`: in Jest, an error of a socket has the class of another realm.
  expect(isNativeError(await killed())).toBe(true);
  const folded = await count('finance_rebuild.folded');
  expect(folded).toBeGreaterThan(0);
  expect(folded).toBeLessThan(PRACTICES);
  const { rows } = await owner.query<{ id: string }>(
    'SELECT therapist_id AS id FROM finance_rebuild.folded LIMIT 1',
  );
  await record(rows[0]?.id ?? '', 1);

  const shown: FoldProgress[] = [];
  const onProgress = (progress: FoldProgress): void => void shown.push(progress);
  const report = await rebuild({ service, url, resources, check: false, onProgress });

  expect(report.practices).toBe(PRACTICES);
  expect(shown[0]?.all).toBe(PRACTICES - folded + 2);
  expect(await count('finance.expenses')).toBe(PRACTICES + 1);
  expect(await rebuild({ service, url, resources, check: true })).toMatchObject({ differences: [] });
  expect(await count(`pg_namespace WHERE nspname = 'finance_rebuild'`)).toBe(0);
});

const isWaiting = async (): Promise<boolean> => {
  const waiting = `pg_stat_activity WHERE application_name ~ '^finance rebuild' AND wait_event_type = 'Lock'`;
  return (await count(waiting)) > 0;
};

it('gives way to a read that has one of its tables and needs another', async () => {
  const [first, second] = foldedTables(resources).map(({ name }) => `finance."${name}"`);
  const reader = await database.connect(url);
  await reader.query(`BEGIN; SELECT FROM ${second}`);
  const rebuilding = rebuild({ service, url, resources, check: false });
  await eventually('the rebuild waits for the read', isWaiting);
  await reader.query(`SELECT FROM ${first}; COMMIT`);
  expect(await rebuilding).toMatchObject({ practices: PRACTICES, differences: [] });
});

it('gives way to the writes that come while it waits for a long read, and folds their events', async () => {
  const reader = await database.connect(url);
  await reader.query('BEGIN; SELECT FROM finance.expenses');
  const rebuilding = rebuild({ service, url, resources, check: false });
  await eventually('the rebuild waits for the read', isWaiting);
  const before = await count('finance.expenses');
  const practices = [randomUUID(), randomUUID()];
  await owner.query(`SET statement_timeout = '20s'`);
  for (const practice of practices) {
    await record(practice, 0);
    await eventually('the rebuild waits again', isWaiting);
    await record(practice, 1);
  }
  await reader.query('COMMIT');
  await rebuilding;
  expect(await count('finance.expenses')).toBe(before + 4);
  expect(await rebuild({ service, url, resources, check: true })).toMatchObject({ differences: [] });
});
