import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { scratchDatabase } from '@practice/testing';
import type { ScratchDatabase } from '@practice/testing';
import type { Pool } from 'pg';
import { PipelinedConnections } from './pipelined-connections.js';
import { openPool } from './pool.js';

let scratch: ScratchDatabase;
let pool: Pool;
let connections: PipelinedConnections;

beforeAll(async () => {
  scratch = await scratchDatabase();
  pool = openPool({ service: 'test', url: scratch.url, connections: 2, onError: () => undefined });
  connections = new PipelinedConnections(pool, 2);
});

afterAll(async () => {
  connections.close();
  await pool.end();
  await scratch.drop();
});

/** Runs a statement as a practice and notes when it ends. */
const noting =
  (ended: string[], name: string, text: string) =>
  async (practice: string): Promise<void> => {
    await connections.run(practice, { text, values: [] });
    ended.push(name);
  };

describe('connections that practices share', () => {
  it('are not all occupied by the slow statements of one practice', async () => {
    const [greedy, ...others] = Array.from({ length: 20 }, () => randomUUID()) as [string, ...string[]];
    const ended: string[] = [];
    const slow = noting(ended, 'slow', 'SELECT pg_sleep(1)');
    const quick = noting(ended, 'quick', 'SELECT 1');
    // From its first slow statement on, others avoid its connection.
    await connections.run(greedy, { text: 'SELECT pg_sleep(0.05)', values: [] });
    const running = [slow(greedy), slow(greedy), slow(greedy)];
    for (const other of others) running.push(quick(other));
    await Promise.all(running.slice(3));
    expect(ended).not.toContain('slow');
    await Promise.all(running);
    expect(ended.filter((name) => name === 'slow')).toHaveLength(3);
  });

  it('refuse a practice whose requests already wait for a slow one, instead of collecting them', async () => {
    const greedy = randomUUID();
    await connections.run(greedy, { text: 'SELECT pg_sleep(0.05)', values: [] });
    const sleeping = { text: 'SELECT pg_sleep(0.002)', values: [] };
    const asked = Array.from({ length: 264 }, () => connections.run(greedy, sleeping));
    const settled = await Promise.allSettled(asked);
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(8);
    for (const reason of refused) expect(reason).toMatchObject({ problem: { status: 503, code: 'PM503' } });
    expect(await connections.run(greedy, { text: 'SELECT 1', values: [] })).toEqual([['1']]);
  });
});
