// Overload: requests beyond the limit are rejected before any work is done, and a flooding practice delays only itself.

import { afterEach, describe, expect, it } from '@jest/globals';
import { adminDatabase, call, make, newPractice, stack, type Answer, type Practice } from '@practice/testing';

const admin = adminDatabase();
afterEach(() => admin.query('rollback'));

const expense = { date: '2026-01-05', amount: 1 };
const spend = ({ rest }: Practice): Promise<Answer> => rest('expenses', { method: 'POST', body: expense });

/** A practice whose writes block until the transaction ends. */
async function heldUp(origin?: string): Promise<Practice> {
  const practice = await newPractice(origin);
  await make(practice, 'expenses', expense);
  await admin.query('begin');
  await admin.query('select from finance.practice_head where therapist_id = $1 for update', [
    practice.therapistId,
  ]);
  return practice;
}

/** The first 503 among these responses, which arrives while the others still wait. */
const firstRefused = (answers: readonly Promise<Answer>[]): Promise<Answer> =>
  Promise.race(
    answers.map((one) =>
      one.then((answer) => (answer.status === 503 ? answer : new Promise<never>(() => {}))),
    ),
  );

describe('a gateway at its limit', () => {
  it('rejects further requests immediately and accepts requests again once there is room', async () => {
    const { origin, stop } = await stack().spawnProcess('gateway', { MAX_IN_FLIGHT: '3' });
    try {
      const practice = await heldUp(origin);
      const writes = Array.from({ length: 8 }, () => spend(practice));
      const refused = await firstRefused(writes);
      expect(refused.json).toMatchObject({
        code: 'PM503',
        message: 'The gateway is overloaded',
        details: 'Retry after 1 second.',
      });
      expect(refused.headers.get('retry-after')).toBe('1');
      const attempt = { method: 'POST', body: { email: 'a@example.com', password: 'x' }, origin };
      const auth = await call('/auth/v1/token?grant_type=password', attempt);
      expect(auth).toMatchObject({
        status: 503,
        json: { error_code: 'over_capacity', details: 'Retry after 1 second.' },
      });
      expect(auth.headers.get('retry-after')).toBe('1');
      expect((await call('/livez', { origin })).status).toBe(200);
      await admin.query('rollback');
      const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
      expect(statuses).toEqual([201, 201, 201, 503, 503, 503, 503, 503]);
      expect((await practice.rest('expenses?select=count')).json).toEqual([{ count: 4 }]);
    } finally {
      await stop();
    }
  });
});

describe('a flooding practice', () => {
  it('fills only its own queue; others are served and every accepted request is executed', async () => {
    const [hot, calm] = [await heldUp(), await newPractice()];
    const flood = Array.from({ length: 560 }, () => spend(hot));
    const refused = await firstRefused(flood);
    expect(refused.json).toMatchObject({
      code: 'PM503',
      message: 'Too many requests of this practice are waiting',
      details: 'Retry after 1 second.',
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await spend(calm)).status).toBe(201);
    expect((await hot.rest('expenses?select=count')).json).toEqual([{ count: 1 }]);
    await admin.query('rollback');
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    const accepted = statuses.filter((status) => status === 201).length;
    expect(accepted).toBeGreaterThanOrEqual(512);
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    expect((await hot.rest('expenses?select=count')).json).toEqual([{ count: 1 + accepted }]);
  });
});
