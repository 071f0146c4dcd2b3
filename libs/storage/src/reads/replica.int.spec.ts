import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { asSystem } from '@practice/log';
import { eventually, scratchDatabase, type ScratchDatabase } from '@practice/testing';
import { openPool } from '../connections/pool.js';
import { ReadTimes } from './read-times.js';
import { Replica } from './replica.js';

let scratch: ScratchDatabase;

beforeAll(async () => {
  scratch = await scratchDatabase();
});
afterAll(() => scratch.drop());

it('a replica is not lost while slow reads wait for each other', async () => {
  const pool = openPool({ service: 'test', url: scratch.url, connections: 2, onError: () => undefined });
  const lost: Error[] = [];
  const reading = { connections: 1, statementMs: 1_500 };
  const replica = new Replica(pool, reading, new ReadTimes(), (error) => lost.push(error));
  // Opens the connections.
  await eventually('it answers', () => replica.run(asSystem(randomUUID()), { text: 'SELECT 1', values: [] }));
  const slow = { text: 'SELECT pg_sleep(1), 1', values: [] };
  lost.length = 0;
  const answers = await Promise.all([1, 2, 3].map(() => replica.run(asSystem(randomUUID()), slow)));
  await replica.close();
  expect(answers).toEqual([1, 2, 3].map(() => [['', '1']]));
  expect(lost).toEqual([]);
});
