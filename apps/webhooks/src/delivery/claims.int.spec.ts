import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Statement } from '@practice/log';
import { adminDatabase } from '@practice/testing';
import { waitingNow } from './attempts.js';
import { noteNews, putOff, takeDue } from './claims.js';

const admin = adminDatabase();

// A transaction hides its rows from the running webhooks processes.
beforeEach(() => admin.query('BEGIN'));
afterEach(() => admin.query('ROLLBACK'));

const run = ({ text, values = [] }: Statement) => admin.query<{ id: string }>(text, [...values]);

it('a webhook that is put off keeps the time of its next attempt, and is not taken before the wait is over', async () => {
  const claim = { therapistId: randomUUID(), id: randomUUID(), lease: randomUUID(), news: '1' };
  const { rows: before } = await admin.query(
    `INSERT INTO webhooks.webhook_progress (therapist_id, id, is_active, started_at, sealed_secret, failures, next_attempt_at, ping_id, lease, leased_until)
     VALUES ($1, $2, true, now(), '', 9, now() + interval '1 day', gen_random_uuid(), $3, now() + interval '1 minute') RETURNING next_attempt_at`,
    [claim.therapistId, claim.id, claim.lease],
  );
  await run(putOff(claim, 2_000));
  const taken = async (): Promise<string[]> => {
    const { rows } = await run(takeDue({ first: 1_000, again: 1_000 }, randomUUID()));
    return rows.filter(({ id }) => id === claim.id).map(({ id }) => id);
  };
  expect(await taken()).toEqual([]);
  const { rows: after } = await admin.query(
    `UPDATE webhooks.webhook_progress SET leased_until = leased_until - interval '2 seconds' WHERE id = $1 RETURNING next_attempt_at`,
    [claim.id],
  );
  expect(after).toEqual(before);
  expect(await taken()).toEqual([claim.id]);
});

/** Adds the row of an active webhook. The times and the lease are SQL. */
async function added(news: number, leasedUntil: string, { lease = 'NULL', nextAttempt = 'NULL' } = {}) {
  const [therapistId, id] = [randomUUID(), randomUUID()];
  await admin.query(
    `INSERT INTO webhooks.webhook_progress (therapist_id, id, is_active, started_at, sealed_secret, news, seen, leased_until, lease, next_attempt_at)
     VALUES ($1, $2, true, now(), '', $3, 1, ${leasedUntil}, ${lease}, ${nextAttempt})`,
    [therapistId, id, news],
  );
  /** The lag if there is no other webhook, in seconds. */
  const lag = async (): Promise<number> => {
    const text = `${waitingNow.text} AND id = '${id}'`;
    const { rows } = await admin.query<unknown[]>({ text, rowMode: 'array' });
    return Number(rows[0]?.[2]);
  };
  return { therapistId, lag };
}

it('a webhook without news is due from the next news on', async () => {
  const { therapistId, lag } = await added(1, `now() - interval '1 day'`);
  expect(await lag()).toBe(0);
  await run(noteNews([therapistId]));
  // `now()` is the same throughout a transaction.
  expect(await lag()).toBe(0);
});

it('a webhook that already waits goes on waiting when more news comes', async () => {
  const ago = (time: string): string => `now() - interval '${time}'`;
  const [served, failed] = [
    await added(2, ago('1 day')),
    await added(2, ago('1 day'), { nextAttempt: ago('1 hour') }),
  ];
  await run(noteNews([served.therapistId, failed.therapistId]));
  expect([await served.lag(), await failed.lag()]).toEqual([86_400, 3_600]);
});

it('a webhook under delivery has no lag', async () => {
  const { therapistId, lag } = await added(1, `now() + interval '1 minute'`, { lease: 'gen_random_uuid()' });
  await run(noteNews([therapistId]));
  expect(await lag()).toBe(0);
});
