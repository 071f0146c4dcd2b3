import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, find, make, newPractice } from '@practice/testing';
import { ownStack, patch, slot, tablesWith, write } from '@practice/testing';
import type { Answer, Made, OwnStack, Practice } from '@practice/testing';
import pg from 'pg';

let own: OwnStack;
let practice: Practice;
const running = new Map<string, Awaited<ReturnType<OwnStack['start']>>>();
let slots = 0;

async function start(...services: readonly string[]): Promise<void> {
  const started = await Promise.all(services.map((service) => own.start(service)));
  services.forEach((service, index) => running.set(service, started[index] as never));
}

const kill = (service: string, signal: NodeJS.Signals): void =>
  void process.kill(running.get(service)?.pid ?? 0, signal);

beforeAll(async () => {
  own = await ownStack();
  await start('gateway', 'identity', 'scheduling', 'clients', 'clinical-notes', 'finance');
  practice = await newPractice(running.get('gateway')?.origin);
});

afterAll(() => own.stop());

const booking = (clientId: string) => ({
  method: 'POST',
  body: { ...slot(slots++), client_id: clientId },
});
const noting = (clientId: string) => ({ method: 'POST', body: { client_id: clientId, plan: 'rest' } });
const book = (clientId: string): Promise<Answer> => practice.rest('appointments', booking(clientId));
const note = (clientId: string): Promise<Answer> => practice.rest('sessions', noting(clientId));

/** Expects 503 instead of a wrong "not found", and no write. */
async function expectAway(ask: () => Promise<Answer>, resource: string): Promise<void> {
  const before = (await practice.rest(resource)).text;
  const answer = await ask();
  expect(answer).toMatchObject({ status: 503, json: { code: 'PM503' } });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await practice.rest(resource)).text).toBe(before);
}

describe('while the clients service is unavailable', () => {
  it('known clients can be booked, and unknown clients get 503 instead of 409', async () => {
    const ada = await make(practice, 'clients', { name: 'Ada' });
    expect([(await book(ada.id)).status, (await note(ada.id)).status]).toEqual([201, 201]);
    await running.get('clients')?.stop();
    const unknown = randomUUID();
    await expectAway(() => book(unknown), 'appointments');
    await expectAway(() => note(unknown), 'sessions');
    expect([(await book(ada.id)).status, (await note(ada.id)).status]).toEqual([201, 201]);
    await start('clients');
    const refused = { status: 409, json: { code: '23503' } };
    expect(await write(practice, 'appointments', booking(unknown))).toMatchObject(refused);
    expect(await write(practice, 'sessions', noting(unknown))).toMatchObject(refused);
  });

  it('the response is the same if its process hangs', async () => {
    kill('clients', 'SIGSTOP');
    try {
      await expectAway(() => book(randomUUID()), 'appointments');
    } finally {
      kill('clients', 'SIGCONT');
    }
    const ada = await make(practice, 'clients', { name: 'Ada' });
    expect((await book(ada.id)).status).toBe(201);
  });
});

describe('while the scheduling service is unavailable', () => {
  it('a client is not deleted, because it may have appointments', async () => {
    const ada = await make(practice, 'clients', { name: 'Ada' });
    await running.get('scheduling')?.stop();
    await expectAway(() => practice.rest(`clients?id=eq.${ada.id}`, { method: 'DELETE' }), 'clients');
    await start('scheduling');
    expect((await write(practice, `clients?id=eq.${ada.id}`, { method: 'DELETE' })).status).toBe(204);
  });
});

describe('total_visits', () => {
  it('counts every change once, although the clients service is killed twice during 200 changes', async () => {
    const ada = await make(practice, 'clients', { name: 'Ada', total_visits: 1000 });
    const record = { client_id: ada.id, status: 'confirmed' };
    const visits = await Promise.all(
      Array.from({ length: 20 }, () => make(practice, 'appointments', { ...slot(slots++), ...record })),
    );
    const changeAll = async (statuses: readonly string[], some: readonly Made[]): Promise<void> => {
      for (const status of statuses) {
        await Promise.all(some.map(({ id }) => patch(practice, 'appointments', { id, status })));
      }
    };
    await changeAll(['completed', 'confirmed'], visits);
    kill('clients', 'SIGKILL');
    await changeAll(['completed', 'confirmed', 'completed'], visits);
    await start('clients');
    // The service is killed again while it catches up.
    kill('clients', 'SIGKILL');
    await changeAll(['confirmed', 'completed', 'confirmed'], visits);
    await start('clients');
    await changeAll(['completed', 'confirmed'], visits.slice(0, 10));
    await changeAll(['completed', 'confirmed', 'completed'], visits.slice(10));

    await eventually('every visit is counted', async () => {
      const now = await find(practice, 'clients', ada.id);
      return now?.['total_visits'] === 1010 && (await countsOf(ada)).ClientVisitCounted === 20 * 4 + 10 * 3;
    });
    expect(await countsOf(ada)).toEqual({ ClientVisitCounted: 110, ClientVisitUncounted: 100 });
  });
});

describe('erasing a client', () => {
  it('happens once and everywhere, although each service is killed in the middle of it', async () => {
    const text = `planted-${randomUUID()}`;
    const { id } = await make(practice, 'clients', { name: text, phone: text });
    const notes = Array.from({ length: 30 }, () => [
      make(practice, 'appointments', { ...slot(slots++), client_id: id, notes: text }),
      make(practice, 'sessions', { client_id: id, plan: text }),
    ]);
    await Promise.all(notes.flat());
    const headers = { 'idempotency-key': randomUUID() };
    const erase = (): Promise<Answer> =>
      practice.rest('rpc/erase_client', { method: 'POST', body: { client_id: id }, headers });

    const interrupted = erase();
    await pause(10);
    kill('clients', 'SIGKILL');
    expect([202, 503]).toContain((await interrupted).status);
    await start('clients');
    expect((await erase()).status).toBe(202);
    for (const service of ['scheduling', 'clinical-notes']) kill(service, 'SIGKILL');
    kill('clients', 'SIGKILL');
    await start('scheduling', 'clinical-notes', 'clients');

    await eventually('the erasure is done', async () => {
      const { json } = await practice.rest(`erasures?client_id=eq.${id}&select=status`);
      return JSON.stringify(json) === '[{"status":"done"}]';
    });
    expect(await withAdmin((admin) => tablesWith(admin, text))).toEqual({});
  });
});

/** The number of events about visits in the client's stream, by type. */
async function countsOf({ id }: Made): Promise<Record<string, number>> {
  const { rows } = await withAdmin((admin) =>
    admin.query<{ type: string; count: number }>(
      `select type, count(*)::int as count from clients.events where stream_id = $1 and type like 'ClientVisit%' group by type`,
      [id],
    ),
  );
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

async function withAdmin<T>(ask: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  try {
    return await ask(admin);
  } finally {
    await admin.end();
  }
}
