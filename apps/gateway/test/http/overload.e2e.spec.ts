// Overload: requests beyond the limit are rejected before any work is done, and a flooding practice delays only itself.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  answered,
  adminDatabase,
  call,
  make,
  newPractice,
  rowsOf,
  stack,
  type Answer,
  type Practice,
} from '@practice/testing';

const admin = adminDatabase();
afterEach(() => admin.query('rollback'));

const expense = { date: '2026-01-05', amount: 1 };
const spend = ({ rest }: Practice, headers: Record<string, string> = {}): Promise<Answer> =>
  rest('expenses', { method: 'POST', body: expense, headers });

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

type Refusable = Pick<Answer, 'status' | 'headers' | 'json'>;

const isRefusal = ({ status, json }: Refusable, message: string): boolean =>
  status === 503 && (json as { message?: string }).message === message;

/** The first 503 with this message among these responses. It arrives while the other requests still wait. */
const firstRefused = (answers: readonly Promise<Refusable>[], message: string): Promise<Refusable> =>
  Promise.race(
    answers.map((one) =>
      one.then((answer) => (isRefusal(answer, message) ? answer : new Promise<never>(() => {}))),
    ),
  );

const FULL = 'Too many requests of this practice are waiting';

/** Opens connections to the gateway and sends nothing on them. */
async function openConnections(count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(stack().baseUrl);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const socket = createConnection({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    sockets.push(socket);
  }
  return sockets;
}

/** Writes an expense on an open connection. */
async function spendOn(socket: Socket, { token }: Practice, key: string): Promise<Refusable> {
  const { baseUrl, apikey } = stack();
  const sent = request(`${baseUrl}/rest/v1/expenses`, {
    createConnection: () => socket,
    method: 'POST',
    headers: {
      ...{ apikey, authorization: `Bearer ${token}` },
      ...{ 'content-type': 'application/json', 'idempotency-key': key },
    },
  }).end(JSON.stringify(expense));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  socket.destroy();
  const headers = new Headers(response.headers as Record<string, string>);
  return { status: response.statusCode ?? 0, headers, json: body === '' ? undefined : JSON.parse(body) };
}

describe('a gateway at its limit', () => {
  it('rejects further requests immediately and accepts requests again once there is room', async () => {
    const { origin, stop } = await stack().spawnProcess('gateway', { MAX_IN_FLIGHT: '3' });
    try {
      const practice = await heldUp(origin);
      const writes = Array.from({ length: 8 }, () => spend(practice));
      const refused = await firstRefused(writes, 'The gateway is overloaded');
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
      expect(await rowsOf(practice, 'expenses?select=count')).toEqual([{ count: 4 }]);
    } finally {
      await stop();
    }
  });
});

describe('a flooding practice', () => {
  it('fills only its own queue, while other practices are served and every accepted request is carried out', async () => {
    const [hot, calm] = [await heldUp(), await newPractice()];
    // Opened before the first write: with fetch, 560 writes took up to 2.3 s on a busy machine, and a write waits 2.5 s for the lock.
    const connections = await openConnections(560);
    const keys = connections.map(() => randomUUID());
    const flood = connections.map((socket, index) => spendOn(socket, hot, keys[index] ?? ''));
    const refused = await firstRefused(flood, FULL);
    expect(refused.json).toMatchObject({
      code: 'PM503',
      message: FULL,
      details: 'Retry after 1 second.',
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    const headers = { 'idempotency-key': randomUUID() };
    expect((await answered('a calm practice', () => spend(calm, headers))).status).toBe(201);
    expect(await rowsOf(hot, 'expenses?select=count')).toEqual([{ count: 1 }]);
    await admin.query('rollback');
    // On a busy machine, the time of an accepted write may end. It is repeated.
    const ends = flood.map(async (one, index) => {
      const answer = await one;
      if (answer.status !== 503 || isRefusal(answer, FULL)) return answer;
      return answered('an accepted write', () => spend(hot, { 'idempotency-key': keys[index] ?? '' }));
    });
    const statuses = (await Promise.all(ends)).map(({ status }) => status);
    const accepted = statuses.filter((status) => status === 201).length;
    expect(accepted).toBeGreaterThanOrEqual(512);
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    expect(await rowsOf(hot, 'expenses?select=count')).toEqual([{ count: 1 + accepted }]);
  });
});
