// Limits on the memory that bodies take, on the connections of an address, and on forged tokens.

import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, newPractice, stack, type Practice } from '@practice/testing';

const CONNECTIONS = 12;
let gateway: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
let practice: Practice;
const open: Socket[] = [];

beforeAll(async () => {
  gateway = await stack().spawnProcess('gateway', {
    BODY_MEMORY_MB: '4',
    MAX_CONNECTIONS_PER_ADDRESS: String(CONNECTIONS),
    LIMIT_AUTH_PER_MINUTE: '3',
  });
  practice = await newPractice(gateway.origin);
});
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));
afterAll(() => gateway.stop());

/** Sends bytes from an address of this machine. Resolves with the first bytes of the response, or when the connection ends. */
function send(bytes: string, localAddress = '127.0.0.1'): Promise<string> {
  const { port } = new URL(gateway.origin);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress }, () =>
      socket.write(bytes),
    );
    open.push(socket);
    socket.once('data', (data) => resolve(data.toString('latin1')));
    socket.once('error', () => resolve('closed'));
    socket.once('close', () => resolve('closed'));
  });
}

const SIZE = 1_000_000;
const head = (headers: readonly string[], path = '/rest/v1/expenses'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${SIZE}\r\n${headers.join('\r\n')}\r\n\r\n`;
const keyOf = (token: string): string[] => [`apikey: ${stack().apikey}`, `Authorization: Bearer ${token}`];

describe('a body', () => {
  it.each([
    ['without a key', () => head([]), 401],
    ['with a wrong key', () => head(['apikey: x']), 401],
    ['without a user', () => head([`apikey: ${stack().apikey}`]), 401],
    ['with a forged token', () => head(keyOf('a.b.c')), 401],
    ['to an unknown path', () => head([], '/nowhere'), 404],
    ['that is too large', () => head(keyOf(practice.token)).replace(String(SIZE), '1048577'), 413],
  ])('%s is refused before it is sent', async (_what, bytes, status) => {
    expect(await send(bytes())).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('takes a bounded amount of memory for each practice', async () => {
    // A practice may use a quarter of 4 MiB, so one large body that is still being sent.
    const bodies = [0, 1].map(() => send(head(keyOf(practice.token)) + 'x'.repeat(900_000)));
    expect(await Promise.race(bodies)).toMatch(/^HTTP\/1\.1 503 [^]*PM503/);
    const other = await newPractice();
    const expense = { date: '2026-01-05', amount: 1 };
    const written = await other.rest('expenses', { method: 'POST', body: expense, origin: gateway.origin });
    expect(written.status).toBe(201);
    open.splice(0).forEach((socket) => socket.destroy());
    const again = await practice.rest('expenses', { method: 'POST', body: expense, origin: gateway.origin });
    expect(again.status).toBe(201);
  });
});

describe('a body in pieces of one byte', () => {
  it('takes a bounded amount of memory', async () => {
    const start = head(keyOf(practice.token)).replace(
      `Content-Length: ${SIZE}`,
      'Transfer-Encoding: chunked',
    );
    const pieces = (count: number): string => `${start}${'1\r\n \r\n'.repeat(count)}`;
    expect(await send(`${pieces(500)}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 [^]*PGRST102|23502/);
    expect(await send(pieces(10_000))).toMatch(/^HTTP\/1\.1 503 [^]*PM503/);
  });
});

describe('an address', () => {
  it('has a bounded number of connections, while other addresses are served', async () => {
    const idle = Array.from({ length: CONNECTIONS + 3 }, () => send('GET /livez HTTP/1.1\r\n', '127.0.0.77'));
    // The open connections send nothing, and the time limit for their headers has not passed.
    expect(await Promise.any(idle)).toBe('closed');
    const asked = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await send(asked, '127.0.0.77')).toBe('closed');
    expect(await send(asked, '127.0.0.78')).toMatch(/^HTTP\/1\.1 200 /);
    open.splice(0).forEach((socket) => socket.destroy());
    await eventually('the address has room', async () =>
      (await send(asked, '127.0.0.77')).startsWith('HTTP/1.1 200 '),
    );
  });
});

describe('forged tokens', () => {
  it('of one address are refused unread after 100 in a minute, while known genuine tokens are accepted', async () => {
    const [header = '', claims = ''] = practice.token.split('.');
    const forged = (index: number) =>
      `${header}.${claims}.${Buffer.from(`signature ${index}`).toString('base64url')}`;
    const ask = (token: string) =>
      call('/rest/v1/expenses', { headers: { authorization: `Bearer ${token}` }, origin: gateway.origin });
    const statuses: number[] = [];
    for (let index = 0; index < 40 && statuses.at(-1) !== 429; index += 1)
      statuses.push((await ask(forged(index))).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(await ask('a.b.c')).toMatchObject({ status: 429, json: { code: 'PM004' } });
    expect((await ask(practice.token)).status).toBe(200);
  });
});
