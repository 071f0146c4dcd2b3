// A batch with a service that is killed between two operations: everything is taken back, or the answer names the changes that stay.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { answered, eventually, make, newPractice, ownStack, startHeld, write } from '@practice/testing';
import type { Answer, OwnStack, Practice } from '@practice/testing';
import pg from 'pg';
import { heldBack } from './held-back.js';

let own: OwnStack;
let practice: Practice;
let lock: pg.Client;
let clients: Awaited<ReturnType<OwnStack['start']>>;
let scheduling: Awaited<ReturnType<OwnStack['start']>>;
let gateway: typeof scheduling;

beforeAll(async () => {
  own = await ownStack();
  // Before a client is deleted, every service that may refer to it is asked.
  const others = ['identity', 'finance', 'clinical-notes'].map((service) => own.start(service));
  [gateway] = await Promise.all([own.start('gateway'), startBoth(), ...others]);
  lock = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await lock.connect();
  practice = await newPractice(gateway.origin);
  // The first write of a practice opens its log.
  const headers = { 'idempotency-key': randomUUID() };
  const first = await answered('the first write', () => send('First', { headers }));
  expect(first.status).toBe(200);
});

afterEach(() => lock.query('ROLLBACK'));

afterAll(async () => {
  await lock.end();
  await own.stop();
});

async function startBoth(): Promise<void> {
  [clients, scheduling] = await Promise.all([own.start('clients'), own.start('scheduling')]);
}

async function kill({ pid, exited }: Awaited<ReturnType<OwnStack['start']>>): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await exited;
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly end?: string;
  readonly more?: readonly object[];
}

/** Each of these changes adds 5 s to the time of the batch. */
const MORE_TIME = Array.from({ length: 2 }, () => ({
  ...{ method: 'PATCH', path: 'appointments?date=eq.2099-01-01', body: { price: 1 } },
}));

const send = (name: string, { headers = {}, end = '10:00', more = [] }: Sent = {}): Promise<Answer> =>
  practice.rest('rpc/batch', {
    method: 'POST',
    headers,
    body: {
      operations: [
        { as: 'c', path: 'clients', body: { name } },
        {
          path: 'appointments',
          body: {
            ...{ client_id: '$c.id', date: '2031-03-03', start_time: '09:00', end_time: end },
            ...{ allow_overlap: true, notes: name },
          },
        },
        ...more,
      ],
    },
  });

const countOf = async (table: string, column: string, value: string): Promise<number> => {
  const { rows } = await lock.query<{ count: number }>(
    `SELECT count(*)::int FROM ${table} WHERE ${column} = $1`,
    [value],
  );
  return rows[0]?.count ?? Number.NaN;
};

const between = (sent: () => Promise<Answer>, meanwhile: () => Promise<void>): Promise<Answer> =>
  heldBack(own, practice.therapistId, { send: sent, meanwhile });

/** Starts the next process of scheduling, which then needs little time of a batch. */
const startAndHold = async () =>
  startHeld({
    ...{ service: 'scheduling', dataDir: own.dataDir, lock },
    therapistId: (await newPractice(gateway.origin)).therapistId,
    start: (settings) => own.start('scheduling', settings),
  });

/** Kills scheduling, and lets the next process end its start. */
async function replaceBy({ started }: Awaited<ReturnType<typeof startAndHold>>): Promise<void> {
  await kill(scheduling);
  await lock.query('COMMIT');
  scheduling = await started;
}

it('a batch continues if the service of a later operation is killed and restarts in time', async () => {
  const name = randomUUID();
  const next = await startAndHold();
  const answer = await between(
    () => send(name, { more: MORE_TIME }),
    () => replaceBy(next),
  );
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('compensated')]);
  expect(await countOf('clients.clients', 'name', name)).toBe(1);
  expect(await countOf('scheduling.appointments', 'notes', name)).toBe(1);
});

it('a batch is taken back if the service of a later operation is killed and does not carry it out in time', async () => {
  const name = randomUUID();
  const next = await startAndHold();
  const answer = await between(
    () => send(name, { more: MORE_TIME }),
    async () => {
      await replaceBy(next);
      await eventually('the new process has refused the operation', async () => {
        const metrics = await (await fetch(`http://${scheduling.metrics}/metrics`)).text();
        return metrics.includes('practice_service_problems_total{code="PM503"}');
      });
    },
  );
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([503, expect.stringContaining('PM503')]);
  expect(answer.headers.get('change-id')).toBeNull();
  expect(answer.headers.get('retry-after')).toBe('1');
  expect((answer.json as { details: string }).details).toContain('Operation 2, POST appointments');
  expect(await countOf('clients.clients', 'name', name)).toBe(0);
  expect(await countOf('scheduling.appointments', 'notes', name)).toBe(0);
});

/** The transaction that waits for the lock of a practice. */
async function waiting(): Promise<string | undefined> {
  const { rows } = await lock.query<{ begun: string }>(
    "SELECT xact_start::text AS begun FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%practice_head%'",
  );
  return rows[0]?.begun;
}

it('a batch that was taken back because a later operation took too long is carried out when it is repeated', async () => {
  const [name, key] = [randomUUID(), randomUUID()];
  const headers = { 'idempotency-key': key };
  const answer = await between(
    () => send(name, { headers }),
    async () => {
      const begun = await waiting();
      await eventually(
        'the operation is over',
        async () => begun === undefined || (await waiting()) !== begun,
      );
    },
  );
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await countOf('clients.clients', 'name', name)).toBe(0);
  for (const _ of [1, 2])
    expect(await answered('the repetition', () => send(name, { headers }))).toMatchObject({ status: 200 });
  expect(await countOf('clients.clients', 'name', name)).toBe(1);
  expect(await countOf('scheduling.appointments', 'notes', name)).toBe(1);
});

it('a batch names the changes that stay if an earlier service is unavailable, and a repetition with the key takes them back', async () => {
  const [name, key] = [randomUUID(), randomUUID()];
  const answer = await between(
    () => send(name, { headers: { 'idempotency-key': key }, end: '08:00' }),
    async () => {
      await kill(clients);
    },
  );
  // The answer is the refusal of the operation, and names the client that stays.
  expect([answer.headers.get('change-id'), answer.text]).toEqual([
    expect.stringMatching(/^clients:\d+$/),
    expect.any(String),
  ]);
  expect((answer.json as { details: string }).details).toContain('Not taken back: operation 1 in clients');
  expect(answer.headers.get('retry-after')).toBeNull();
  expect(await countOf('clients.clients', 'name', name)).toBe(1);
  clients = await own.start('clients');
  const again = await eventually('the service is back', async () => {
    const repeated = await send(name, { headers: { 'idempotency-key': key }, end: '08:00' });
    return repeated.status < 500 && repeated;
  });
  expect([again.status, again.headers.get('change-id')]).toEqual([answer.status, null]);
  expect(await countOf('clients.clients', 'name', name)).toBe(0);
});

/** Erases a client, and with that the stored responses of the practice. */
async function erase(): Promise<void> {
  const { id: client_id } = await make(practice, 'clients', { name: 'Eve' });
  const erased = await write(practice, 'rpc/erase_client', { method: 'POST', body: { client_id } });
  expect(erased.status).toBe(202);
}

it.each([
  ['', async (): Promise<void> => {}, 200],
  [', even if stored responses are erased', erase, 409],
] as const)(
  'a completed batch stays if a repetition with the key takes too long%s',
  async (_, meanwhile, status) => {
    const [name, key] = [randomUUID(), randomUUID()];
    const headers = { 'idempotency-key': key };
    const first = await answered('the batch', () => send(name, { headers }));
    expect(first.status).toBe(200);
    const again = await between(
      () => send(name, { headers }),
      async () => {
        const begun = await waiting();
        await meanwhile();
        await eventually(
          'the operation is over',
          async () => begun === undefined || (await waiting()) !== begun,
        );
      },
    );
    expect([again.status, again.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await countOf('clients.clients', 'name', name)).toBe(1);
    expect(await countOf('scheduling.appointments', 'notes', name)).toBe(1);
    const last = await send(name, { headers });
    expect(last.status).toBe(status);
    if (status === 200) expect(last.json).toEqual(first.json);
  },
);

it('an attempt that takes too long leaves what another attempt with the key goes on from', async () => {
  const [name, key] = [randomUUID(), randomUUID()];
  const headers = { 'idempotency-key': key };
  const attempt = (): Promise<Answer> => send(name, { headers, more: MORE_TIME.slice(0, 1) });
  let second: Promise<Answer> | undefined;
  const first = await between(attempt, async () => {
    const begun = await waiting();
    await eventually('the first attempt has little time left', async () => {
      const { rows } = await lock.query("SELECT 1 WHERE now() > $1::timestamptz + interval '4 s'", [begun]);
      return begun === undefined || rows.length > 0;
    });
    second = attempt();
    await eventually(
      'the operation of the first attempt is over',
      async () => begun === undefined || (await waiting()) !== begun,
    );
  });
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await second).toMatchObject({ status: 200 });
  expect(await countOf('clients.clients', 'name', name)).toBe(1);
  expect(await countOf('scheduling.appointments', 'notes', name)).toBe(1);
});
