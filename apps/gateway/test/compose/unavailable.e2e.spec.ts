// A service that is not running: every read that needs it is 503 as a whole, and no write is carried out if its response needs the service.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, newPractice, ownStack, type OwnStack } from '@practice/testing';
import pg from 'pg';

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

let own: OwnStack;
let rest: (path: string, record?: object, tx?: string) => Promise<Answered>;

beforeAll(async () => {
  own = await ownStack();
  const services = ['gateway', 'identity', 'scheduling'];
  const [gateway] = await Promise.all(services.map((service) => own.start(service)));
  const practice = await newPractice(gateway?.origin);
  rest = async (path, record, tx = 'tx=commit') => {
    const { status, headers, json } = await practice.rest(path, {
      ...(record !== undefined && { method: 'POST', body: record }),
      headers: { prefer: `return=representation, ${tx}` },
    });
    return { status, retryAfter: headers.get('retry-after'), body: json };
  };
});

afterAll(() => own.stop());

const unavailable = {
  status: 503,
  retryAfter: '1',
  body: { code: 'PM503', details: 'Retry after 1 second.' },
};
const visit = (date: string): object => ({ date, start_time: '09:00', end_time: '10:00' });

it('a request that needs only running services is answered', async () => {
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

it('a write is not carried out if its response needs the service', async () => {
  expect(await rest('appointments?select=date,clients(name)', visit('2026-05-02'))).toMatchObject(
    unavailable,
  );
  expect(await rest('appointments?select=date')).toMatchObject({ body: [{ date: '2026-05-01' }] });
});

const carriedOut = {
  status: 504,
  retryAfter: null,
  body: {
    code: 'PM504',
    message: 'The write was carried out, but a service that its response needs did not answer',
  },
};

it.each([
  ['tx=rollback', unavailable, []],
  ['tx=commit', carriedOut, [{ date: '2026-05-03' }]],
])(
  'the response to a write with %s states whether it was carried out if a service became unavailable after it',
  async (tx, expected, kept) => {
    const clients = await own.start('clients');
    const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
    await admin.connect();
    try {
      const { body } = await rest('clients', { name: 'Ada' });
      const [{ id: client_id }] = body as [{ id: string }];
      await admin.query('BEGIN; LOCK TABLE scheduling.events IN SHARE MODE');
      const record = { ...visit('2026-05-03'), client_id };
      const booked = rest('appointments?select=date,clients(name)', record, tx);
      await eventually('the write waits', async () => {
        const { rows } = await admin.query('SELECT FROM pg_locks WHERE NOT granted');
        return rows.length > 0;
      });
      process.kill(clients.pid, 'SIGSTOP');
      await admin.query('COMMIT');
      expect(await booked).toMatchObject(expected);
      expect((await rest('appointments?select=date&date=eq.2026-05-03')).body).toEqual(kept);
    } finally {
      process.kill(clients.pid, 'SIGCONT');
      await clients.stop();
      await admin.end();
    }
  },
);
