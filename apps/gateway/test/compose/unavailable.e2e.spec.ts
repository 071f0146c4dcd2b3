// A service that is not running: every read that needs it is 503 as a whole, and no write happens whose response needs it.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinStack, startStack } from '@practice/dev';
import type { Extra, Stack } from '@practice/dev';

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

const folder = mkdtempSync(join(tmpdir(), 'practice-away-'));
const running: Extra[] = [];
let servers: Stack;
let rest: (path: string, body?: object) => Promise<Answered>;

beforeAll(async () => {
  servers = await startStack({ settings: { PORT: 0, DATA_DIR: folder }, onlyServers: true });
  const { spawnProcess, apikey } = joinStack(servers.coordinates);
  const [gateway] = await Promise.all([start('gateway'), start('identity'), start('scheduling')]);
  async function start(service: string): Promise<Extra> {
    const extra = await spawnProcess(service);
    running.push(extra);
    return extra;
  }
  const call = async (path: string, token?: string, body?: object): Promise<Answered> => {
    const response = await fetch(`${gateway?.origin}${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        apikey,
        'content-type': 'application/json',
        prefer: 'return=representation',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    };
  };
  const account = { email: 'away@example.com', password: 'correct horse battery' };
  const { body } = await call('/auth/v1/signup', undefined, account);
  rest = (path, record) => call(`/rest/v1/${path}`, (body as { access_token: string }).access_token, record);
}, 60_000);

afterAll(async () => {
  await Promise.all(running.map((extra) => extra.stop()));
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const unavailable = {
  status: 503,
  retryAfter: '1',
  body: { code: 'PM503', details: 'Retry after 1 second.' },
};
const visit = (date: string): object => ({ date, start_time: '09:00', end_time: '10:00' });

it('answers a request that needs only running services', async () => {
  expect(await rest('appointments?select=date,service_menu(name)', visit('2026-05-01'))).toMatchObject({
    status: 201,
    body: [{ date: '2026-05-01', service_menu: null }],
  });
  // No row refers to a client, so the clients service is not asked.
  expect(await rest('appointments?select=date,clients(name)')).toMatchObject({ status: 200 });
});

it.each([
  'appointments?select=date,clients!inner(name)',
  'appointments?select=date,clients()&clients=is.null',
  'appointments?select=date,clients()&order=clients(name)',
  'appointments?select=date,sessions(plan)',
  'clients?select=name,appointments(date)',
])('%s is 503 as a whole', async (path) => {
  expect(await rest(path)).toMatchObject(unavailable);
});

it('does not execute a write whose response needs the service', async () => {
  expect(await rest('appointments?select=date,clients(name)', visit('2026-05-02'))).toMatchObject(
    unavailable,
  );
  expect(await rest('appointments?select=date')).toMatchObject({ body: [{ date: '2026-05-01' }] });
});
