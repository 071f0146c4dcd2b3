import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { makeAll, newPractice, stack } from '@practice/testing';
import { createJournal } from '../load/journal.js';
import { effectOf } from '../load/requests.js';
import { compareByApi } from './by-api.js';

const MOST_ROWS = 1_000;

it('the comparison through the API sees every record, however many pages they take', async () => {
  const practice = await newPractice();
  const journal = createJournal();
  const expenseOf = effectOf('finance', 'expenses');
  for (const count of [MOST_ROWS, 2]) {
    const body = Array.from({ length: count }, () => ({ id: randomUUID(), date: '2026-01-05', amount: 12 }));
    await makeAll(practice, 'expenses', body);
    journal.acknowledge(body.map(({ id }) => expenseOf('ExpenseRecorded', id, {})));
  }
  const api = stack();
  const load = { api, journal, practices: [practice], followed: [] };
  expect(await compareByApi(load)).toEqual([]);

  const lost = randomUUID();
  journal.acknowledge([expenseOf('ExpenseRecorded', lost, {})]);
  expect(await compareByApi(load)).toEqual([{ kind: 'lost', what: `finance.expenses ${lost}` }]);
});
