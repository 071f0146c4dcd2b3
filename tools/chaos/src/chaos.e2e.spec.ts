// A short run of `npm run chaos`, and a proof that its comparison finds errors.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { make, newPractice, stack } from '@practice/testing';
import { templateFolder } from '@practice/start';
import { settle } from './checks/compare.js';
import type { Fault } from './faults/plan.js';
import { createReceived } from './followers/received.js';
import { createJournal } from './load/journal.js';
import { run } from './run.js';

const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

const fault = (kind: Fault['kind'], target: string, milliseconds = 500): Fault => ({
  kind,
  target,
  milliseconds,
  rest: 100,
});
const faults = [
  fault('kill', 'live'),
  fault('kill', 'scheduling'),
  fault('kill', 'finance'),
  fault('kill', 'clinical-notes'),
  fault('kill', 'webhooks'),
  fault('cut', 'finance–postgres'),
  fault('kill', 'postgres'),
  fault('kill', 'nats-server'),
  fault('rollback', 'stream'),
];

it('the system loses and doubles nothing while processes are killed, connections are cut, and the stream is rolled back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'practice-chaos-'));
  // Postgres runs as another user if root runs the tests.
  chmodSync(folder, 0o755);
  await promisify(execFile)('cp', ['-a', templateFolder(), join(folder, 'data')]);
  closing.push(() => rmSync(folder, { recursive: true }));
  const result = await run({
    folder,
    seed: 1,
    practices: 2,
    rest: 100,
    faults: () => faults,
    say: () => undefined,
  });
  expect(result.findings).toEqual([]);
  expect(result.struck.map(({ kind, target }) => `${kind} ${target}`)).toEqual(
    faults.map(({ kind, target }) => `${kind} ${target}`),
  );
  expect(result.acknowledged).toBeGreaterThan(20);
  const { subscriber, ...readers } = result.followers;
  expect(subscriber?.effects).toBeGreaterThan(20);
  // The other followers read the same events. The bus also has events of accounts.
  expect(new Set(Object.values(readers).map(({ effects }) => effects)).size).toBe(1);
  expect(result.disturbances['connections of streams']).toBeGreaterThan(3);
});

it('the comparison finds lost and doubled writes', async () => {
  const practice = await newPractice();
  const expense = { date: '2026-01-05', amount: '1.10' };
  const kept = await make(practice, 'expenses', expense);
  const doubled = await make(practice, 'expenses', expense);
  const journal = createJournal();
  const acknowledge = (id: string, amount: string): void =>
    journal.acknowledge([
      { schema: 'finance', table: 'expenses', id, type: 'ExpenseRecorded', row: { amount } },
    ]);
  acknowledge(kept.id, '1.10');
  acknowledge(practice.therapistId, '1.10');
  const received = createReceived();
  received.take('finance', practice.therapistId, 2);
  received.take('finance', practice.therapistId, 2);
  const findings = await settle({
    journal,
    practices: [practice],
    within: 0,
    databaseUrl: stack().adminDatabaseUrl,
    followed: [{ follower: 'subscriber', received, services: ['finance'], isOnce: true }],
  });
  const whats = findings.map(({ kind, what }) => `${kind} ${what}`);
  expect(whats).toEqual(
    expect.arrayContaining([
      `lost finance ${practice.therapistId} ExpenseRecorded: 0 of 1 events`,
      `doubled finance ${doubled.id} ExpenseRecorded: 1 events in place of 0`,
      `lost finance.expenses ${practice.therapistId}`,
      `lost the subscriber skipped events of finance ${practice.therapistId}: 2 came after 0`,
      'doubled the subscriber received 1 events again',
    ]),
  );
  expect(whats.join()).not.toContain(kept.id);
});
