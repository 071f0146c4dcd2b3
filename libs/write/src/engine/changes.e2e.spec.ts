// Each event stores who changed what, when and why, and each response names its change.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adminDatabase, eventually, make, newPractice, slot } from '@practice/testing';
import type { Call, Practice } from '@practice/testing';

const admin = adminDatabase();
let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
});

interface Stored {
  readonly position: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly previous: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

async function eventsOf(schema: string, { therapistId }: Practice, stream?: string): Promise<Stored[]> {
  const { rows } = await admin.query<Stored>(
    `SELECT position::int, type, data, previous, metadata FROM ${schema}.events
     WHERE therapist_id = $1 AND ($2::uuid IS NULL OR stream_id = $2) ORDER BY position`,
    [therapistId, stream ?? null],
  );
  return rows;
}

const send = (path: string, method: string, call: Call = {}) => practice.rest(path, { method, ...call });

describe('a write', () => {
  it('names its change, which all its events carry', async () => {
    const other = await newPractice();
    const body = [0, 1, 2].map((index) => ({ ...slot(index), notes: `${index}` }));
    const first = await other.rest('appointments', { method: 'POST', body });
    expect([first.status, first.headers.get('change-id')]).toEqual([201, 'scheduling:1']);
    const second = await other.rest('appointments', { method: 'POST', body: slot(3) });
    expect(second.headers.get('change-id')).toBe('scheduling:4');
    const events = await eventsOf('scheduling', other);
    expect(events.map(({ position, metadata }) => [position, metadata['changeId']])).toEqual([
      [1, 'scheduling:1'],
      [2, 'scheduling:1'],
      [3, 'scheduling:1'],
      [4, 'scheduling:4'],
    ]);
  });

  it('stores who made it, and in which session', async () => {
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const [event] = await eventsOf('clients', practice, id);
    expect(event?.metadata).toMatchObject({
      actor: { kind: 'user', id: practice.therapistId, name: practice.email },
      address: expect.stringMatching(/^(::1|.*127\.0\.0\.1)$/),
      sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  it('names its own change if it shares a transaction with others', async () => {
    const busy = await newPractice();
    await busy.rest('expenses', { method: 'POST', body: expense() });
    const answers = await Promise.all(
      Array.from({ length: 24 }, () =>
        busy.rest('expenses', {
          method: 'POST',
          body: [expense(), expense()],
          headers: { 'change-reason': 'together' },
        }),
      ),
    );
    const ids = answers.map(({ headers }) => String(headers.get('change-id')));
    expect(new Set(ids).size).toBe(24);
    const events = await eventsOf('finance', busy);
    for (const id of ids) {
      const [first = 0, ...others] = events
        .filter(({ metadata }) => metadata['changeId'] === id)
        .map(({ position }) => position);
      expect([id, others]).toEqual([`finance:${first}`, [first + 1]]);
    }
  });

  it('that changes nothing, or is a dry run, names no change', async () => {
    const { id, name } = await make(practice, 'clients', { name: 'Bo' });
    const same = await send(`clients?id=eq.${id}`, 'PATCH', { body: { name } });
    const dry = await send(`clients?id=eq.${id}`, 'PATCH', {
      body: { name: 'Boris' },
      headers: { prefer: 'tx=rollback' },
    });
    expect([same, dry].map(({ status, headers }) => [status, headers.get('change-id')])).toEqual([
      [204, null],
      [204, null],
    ]);
  });

  it('that is repeated names the same change', async () => {
    const call = { body: expense(), headers: { 'idempotency-key': randomUUID() } };
    const [first, again] = [await send('expenses', 'POST', call), await send('expenses', 'POST', call)];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('change-id')).toMatch(/^finance:\d+$/);
    expect(again.headers.get('change-id')).toBe(first.headers.get('change-id'));
  });

  it('stores the values that it replaces: the values of the columns that it sets, and all values of a record that it deletes', async () => {
    const made = await make(practice, 'expenses', { ...expense(), amount: 12.5 });
    await send(`expenses?id=eq.${made.id}`, 'PATCH', { body: { amount: 20, category: 'books' } });
    await send(`expenses?id=eq.${made.id}`, 'DELETE');
    const [created, changed, deleted] = await eventsOf('finance', practice, made.id);
    expect(created?.previous).toBeNull();
    expect([changed?.data, changed?.previous]).toEqual([
      { amount: '20.00', category: 'books' },
      { amount: '12.50', category: 'rent' },
    ]);
    expect(Object.keys(deleted?.previous ?? {}).sort()).toEqual(Object.keys(made).sort());
    expect(deleted?.previous).toMatchObject({ amount: '20.00', category: 'books', id: made.id });
  });
});

describe('a reason', () => {
  const reasonGiven = (reason: string) => ({ body: expense(), headers: { 'change-reason': reason } });

  it('is kept with the events of the write', async () => {
    const reason = 'Größe geändert — 100 %';
    const answer = await send('expenses', 'POST', reasonGiven(encodeURIComponent(reason)));
    const change = answer.headers.get('change-id');
    const events = await eventsOf('finance', practice);
    expect(events.find(({ metadata }) => metadata['changeId'] === change)?.metadata).toMatchObject({
      reason,
    });
  });

  it('may have 500 characters', async () => {
    expect((await send('expenses', 'POST', reasonGiven(encodeURIComponent('😀'.repeat(500))))).status).toBe(
      201,
    );
  });

  it.each([
    ['is too long', encodeURIComponent('😀'.repeat(501))],
    ['is not encoded', 'geändert'],
    ['is encoded wrongly', '100%'],
    ['is not UTF-8', '%ff'],
    ['is empty', '%20'],
    ['has a control character', 'a%00b'],
  ])('that %s is rejected, and nothing is written', async (_, reason) => {
    const before = (await eventsOf('finance', practice)).length;
    const answer = await send('expenses', 'POST', reasonGiven(reason));
    expect([answer.status, answer.json]).toMatchObject([400, { code: 'PM400' }]);
    expect(await eventsOf('finance', practice)).toHaveLength(before);
  });

  it.each(['expenses', 'rpc/my_practices'])('has no effect on a read: %s', async (path) => {
    expect((await send(path, 'GET', { headers: { 'change-reason': '100%' } })).status).toBe(200);
  });
});

describe('a policy', () => {
  it('names itself and the change that it reacts to', async () => {
    const client = await make(practice, 'clients', { name: 'Cleo' });
    const booked = await make(practice, 'appointments', { ...slot(40), client_id: client.id });
    const done = await send(`appointments?id=eq.${booked.id}`, 'PATCH', {
      body: { status: 'completed' },
      headers: { 'change-reason': 'done' },
    });
    const counted = await eventually('the visit is counted', async () =>
      (await eventsOf('clients', practice, client.id)).find(({ type }) => type === 'ClientVisitCounted'),
    );
    expect(counted).toMatchObject({
      previous: { total_visits: 0 },
      metadata: {
        actor: { kind: 'policy', name: 'countVisitsWhenAppointmentsComplete' },
        changeId: `clients:${counted?.position}`,
        causedBy: done.headers.get('change-id'),
      },
    });
    expect(counted?.metadata).not.toHaveProperty('reason');
  });
});

const expense = () => ({ date: '2026-01-02', amount: 1, category: 'rent' });
