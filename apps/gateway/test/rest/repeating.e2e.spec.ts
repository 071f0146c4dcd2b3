// A caller on a bad network repeats its writes. With a key, each write is carried out once.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, newPractice, rowsOf, stack, type Answer, type Practice } from '@practice/testing';
import pg from 'pg';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

const spend = (key: string, more: object = {}, prefer = 'return=representation'): Promise<Answer> =>
  practice.rest('expenses', {
    method: 'POST',
    headers: { 'idempotency-key': key, prefer },
    body: { date: '2026-01-05', amount: 12, ...more },
  });

const countOf = (vendor: string): Promise<unknown> =>
  rowsOf(practice, `expenses?vendor=eq.${vendor}&select=count`);

interface Copies {
  readonly vendor: string;
  readonly answers: readonly Answer[];
}

/** Sends copies of one write. If a busy machine is late with an answer, copies of another write are sent. */
const copiesInTime = (count: number): Promise<Copies> =>
  eventually('all copies are answered in time', async () => {
    const vendor = randomUUID();
    const answers = await Promise.all(Array.from({ length: count }, () => spend(vendor, { vendor })));
    return answers.every(({ status }) => status !== 503) && { vendor, answers };
  });

describe('a write with an Idempotency-Key', () => {
  it('is carried out once for fifty copies at the same time, and all get the same response', async () => {
    const { vendor, answers } = await copiesInTime(50);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(49);
    expect(await countOf(vendor)).toEqual([{ count: 1 }]);
  });

  it('is carried out once for copies that arrive through two processes of the service', async () => {
    const second = await stack().spawnProcess('finance');
    try {
      const { vendor, answers } = await copiesInTime(40);
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(await countOf(vendor)).toEqual([{ count: 1 }]);
    } finally {
      await second.stop();
    }
  });

  it('is carried out once if the service first has to ask the owner of a record', async () => {
    for (let day = 1; day <= 9; day += 1) {
      // The client is so new that the scheduling service does not know it yet.
      const [client_id, date] = [randomUUID(), `2031-05-0${day}`];
      await practice.rest('clients', { method: 'POST', body: { id: client_id, name: `Client ${day}` } });
      const book = (): Promise<Answer> =>
        practice.rest('appointments', {
          method: 'POST',
          headers: { 'idempotency-key': client_id },
          body: { date, start_time: '09:00', end_time: '09:50', client_id },
        });
      expect([(await book()).status, (await book()).status]).toEqual([201, 201]);
    }
  });

  it('gets the same response later, including the headers', async () => {
    const [key, vendor] = [randomUUID(), randomUUID()];
    const first = await spend(key, { vendor });
    const again = await spend(key, { vendor });
    for (const name of ['location', 'content-range', 'etag', 'content-type', 'preference-applied'])
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(again.text).toBe(first.text);
  });

  it('is refused when the key was for another request, and changes nothing', async () => {
    const [key, vendor] = [randomUUID(), randomUUID()];
    await spend(key, { vendor });
    expect(await spend(key, { vendor, amount: 13 })).toMatchObject({ status: 409, json: { code: 'PM005' } });
    expect(await countOf(vendor)).toEqual([{ count: 1 }]);
  });

  it('gets the same error again', async () => {
    const key = randomUUID();
    const first = await spend(key, { amount: 0 });
    const again = await spend(key, { amount: 0 });
    expect([first.status, again.status, again.text]).toEqual([400, 400, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('can be sent again when its error cannot be stored', async () => {
    const key = randomUUID();
    const admin = new pg.Client({ connectionString: stack().adminDatabaseUrl });
    await admin.connect();
    try {
      await admin.query('BEGIN');
      // The row is not visible yet, and no other transaction can store a response for the key.
      await admin.query(
        `INSERT INTO finance.idempotency (therapist_id, key, hash, status, headers) VALUES ($1, $2, 'x', 200, '{}')`,
        [practice.therapistId, key],
      );
      expect(await spend(key, { amount: 0 })).toMatchObject({ status: 503, json: { code: 'PM503' } });
    } finally {
      await admin.end();
    }
    expect((await spend(key, { amount: 0 })).status).toBe(400);
  });

  it.each([12, 0])('stores no response of a dry run with the amount %d', async (amount) => {
    const [key, vendor] = [randomUUID(), randomUUID()];
    await spend(key, { vendor, amount }, 'tx=rollback, return=representation');
    expect((await spend(key, { vendor })).status).toBe(201);
    expect(await countOf(vendor)).toEqual([{ count: 1 }]);
  });

  it('belongs to its practice: another practice may use the same key', async () => {
    const key = randomUUID();
    await spend(key);
    const other = await newPractice();
    const answer = await other.rest('expenses', {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: { date: '2026-02-01', amount: 1 },
    });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  it('may be a change or a deletion', async () => {
    const { json } = await spend(randomUUID());
    const [{ id }] = json as [{ id: string }];
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
    const remove = () => practice.rest(`expenses?id=eq.${id}`, { method: 'DELETE', headers });
    const [first, again] = [await remove(), await remove()];
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(JSON.parse(first.text)).toHaveLength(1);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
  ])('is refused with a key that is %s', async (_what, key) => {
    expect(await spend(key)).toMatchObject({ status: 400, json: { code: 'PM400' } });
  });
});
