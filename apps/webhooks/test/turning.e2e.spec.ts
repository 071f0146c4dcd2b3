// Changes of a webhook while it has events to deliver: it is paused, gets another URL, or replays events.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { eventually, find, make, makeAll, newPractice, patch, stack, withClient } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Client } from 'pg';
import { WebSocket } from 'ws';
import { accept, answer, postponed, receiver, type Receiver } from './receiver.js';

let practice: Practice;
let supabase: SupabaseClient;
let to: Receiver;
let hook: Made;

beforeEach(async () => {
  practice = await newPractice();
  const { baseUrl, apikey } = stack();
  supabase = createClient(baseUrl, apikey, {
    accessToken: () => Promise.resolve(practice.token),
    realtime: { transport: WebSocket as never },
  });
  to = await receiver();
  hook = await make(practice, 'webhooks', { url: to.url, event_types: ['ClientRegistered'] });
});
afterEach(() => to.close());

const nameClients = (...names: string[]): Promise<unknown> =>
  makeAll(
    practice,
    'clients?select=id',
    names.map((name) => ({ name })),
  );
const namesAt = ({ received }: Receiver): string[] =>
  received.map(({ event }) => (event.data as { name: string }).name);

const arrived = async (...names: string[]): Promise<void> => {
  await eventually(`${names.length} have arrived`, () => to.received.length >= names.length);
  expect(namesAt(to)).toEqual(names);
};

const noted = (count: number): Promise<unknown> =>
  eventually(`attempt ${count} is noted`, async () => {
    const { data } = await supabase.from('webhook_deliveries').select('id').eq('webhook_id', hook.id);
    return data?.length === count;
  });

const failedOnce = async (): Promise<void> => {
  await withClient(stack().adminDatabaseUrl, (admin) => postponed(admin, hook));
  await noted(1);
};

/** Makes the next attempt due, as after this number of failures. */
const attemptAfter = (admin: Client, failures: number): Promise<unknown> =>
  admin.query('UPDATE webhooks.webhook_progress SET failures = $2, next_attempt_at = now() WHERE id = $1', [
    ...[hook.id, failures],
  ]);

const replay = async (from: string): Promise<{ status: number; code?: string; until?: string }> => {
  const { data, error, status } = await supabase.rpc('replay_webhook', { webhook_id: hook.id, from });
  const until = (data as { delivered_until?: string } | null)?.delivered_until;
  return { status, ...(error && { code: error.code }), ...(until !== undefined && { until }) };
};

describe('a webhook with events to deliver', () => {
  it('that is paused in the middle sends nothing more, and then continues where it stopped', async () => {
    let held: ServerResponse | undefined;
    to.behave = (response) => (held = response);
    await nameClients('Ada', 'Bob', 'Cy');
    await eventually('the first request waits', () => held !== undefined);
    await patch(practice, 'webhooks', { id: hook.id, status: 'paused' });
    to.behave = accept;
    held?.writeHead(204).end();
    await noted(1);
    await nameClients('Di');
    // A ping takes the same path, so any other message would have arrived before it.
    expect((await supabase.rpc('test_webhook', { webhook_id: hook.id })).status).toBe(202);
    await eventually('the ping has arrived', () => to.types().includes('Ping'));
    expect(to.types()).toEqual(['ClientRegistered', 'Ping']);
    await patch(practice, 'webhooks', { id: hook.id, status: 'active' });
    await eventually('the rest has arrived', () => to.received.length >= 5);
    expect(namesAt(to)).toEqual(['Ada', undefined, 'Bob', 'Cy', 'Di']);
  });

  it('that fails is tried at once after a change of its URL, from the event that failed', async () => {
    to.behave = answer(500);
    await nameClients('Ada', 'Bob');
    await failedOnce();
    const other = await receiver();
    await patch(practice, 'webhooks', { id: hook.id, url: other.url });
    await eventually('both have arrived', () => other.received.length >= 2);
    await other.close();
    expect(namesAt(other)).toEqual(['Ada', 'Bob']);
    expect(namesAt(to)).toEqual(['Ada']);
  });

  it('that gets another URL during an attempt that fails is tried there without delay', async () => {
    to.behave = answer(500);
    await nameClients('Ada');
    await failedOnce();
    let held: ServerResponse | undefined;
    to.behave = (response) => (held = response);
    // The failure of the seventh attempt delays the event by hours.
    await withClient(stack().adminDatabaseUrl, (admin) => attemptAfter(admin, 6));
    await eventually('the request waits', () => held !== undefined);
    const other = await receiver();
    await patch(practice, 'webhooks', { id: hook.id, url: other.url });
    held?.writeHead(500).end();
    await eventually('it has arrived', () => other.received.length > 0);
    await other.close();
    expect(namesAt(other)).toEqual(['Ada']);
  });

  it('that gets another URL after its last attempt does not become failing', async () => {
    to.behave = answer(500);
    await nameClients('Ada');
    await failedOnce();
    let held: ServerResponse | undefined;
    to.behave = (response) => (held = response);
    const other = await receiver();
    await withClient(stack().adminDatabaseUrl, async (admin) => {
      await attemptAfter(admin, 9);
      await eventually('the request waits', () => held !== undefined);
      // The change of the URL waits for this lock before the end of the webhook does.
      await admin.query('BEGIN');
      const lock = 'SELECT FROM webhooks.practice_head WHERE therapist_id = $1 FOR UPDATE';
      expect((await admin.query(lock, [practice.therapistId])).rowCount).toBe(1);
      const is = async (state: string): Promise<boolean> =>
        (await admin.query(`SELECT FROM ${state}`)).rowCount === 1;
      const changed = patch(practice, 'webhooks', { id: hook.id, url: other.url });
      await eventually('the change waits', () =>
        is('pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))'),
      );
      held?.writeHead(500).end();
      await eventually('the failure is noted', () =>
        is(`webhooks.webhook_progress WHERE id = '${hook.id}' AND failures = 10`),
      );
      await admin.query('COMMIT');
      await changed;
    });
    await eventually('it has arrived', () => other.received.length > 0);
    await other.close();
    expect((await find(practice, 'webhooks', hook.id))?.['status']).toBe('active');
  });

  it('that gets more types of events sends all later events of these types', async () => {
    let held: ServerResponse | undefined;
    to.behave = (response) => (held = response);
    // More than one page of events.
    const names = Array.from({ length: 101 }, (_, index) => `Client ${index}`);
    await nameClients(...names);
    await eventually('the first request waits', () => held !== undefined);
    await patch(practice, 'webhooks', { id: hook.id, event_types: ['ClientRegistered', 'ServiceAdded'] });
    await make(practice, 'service_menu', { name: 'Talk', duration: 50, price: 1 });
    to.behave = accept;
    held?.writeHead(204).end();
    await eventually('the last client has arrived', () => namesAt(to).includes('Client 100'));
    await eventually('the service has arrived', () => to.types().includes('ServiceAdded'));
  });

  it('that fails sends only later events of the new types after a change of its types', async () => {
    to.behave = answer(500);
    await nameClients('Ada');
    await failedOnce();
    to.behave = accept;
    await patch(practice, 'webhooks', { id: hook.id, event_types: ['ServiceAdded'] });
    await make(practice, 'service_menu', { name: 'Talk', duration: 50, price: 1 });
    const { data } = await supabase.from('webhooks').select('event_types').eq('id', hook.id).single();
    expect(data).toEqual({ event_types: ['ServiceAdded'] });
    await eventually('the service has arrived', () => to.types().includes('ServiceAdded'));
    expect(to.types()).toEqual(['ClientRegistered', 'ServiceAdded']);
  });
});

describe('a replay', () => {
  it('takes instants in the formats of timestamptz, and can also go forward', async () => {
    await nameClients('Ada');
    await arrived('Ada');
    await noted(1);
    for (const from of ['2020-01-01T00:00:00+02:00', '2020-01-01 00:00:00+00', '2020-01-01 00:00:00Z']) {
      const before = to.received.length;
      expect([from, (await replay(from)).status]).toEqual([from, 200]);
      await eventually('it has arrived again', () => to.received.length > before);
    }
    const all = to.received.length;
    await patch(practice, 'webhooks', { id: hook.id, status: 'paused' });
    await nameClients('Skipped');
    expect((await replay('2100-01-01T00:00:00Z')).status).toBe(200);
    await nameClients('Bob');
    await patch(practice, 'webhooks', { id: hook.id, status: 'active' });
    await eventually('Bob has arrived', () => to.received.length > all);
    expect(namesAt(to).slice(all)).toEqual(['Bob']);
  });

  it('is refused for a text that is neither a cursor nor an instant, and the cursor does not move', async () => {
    const until = async (): Promise<unknown> =>
      (await find(practice, 'webhooks', hook.id))?.['delivered_until'];
    await nameClients('Ada');
    await noted(1);
    const before = await until();
    for (const from of [
      '',
      'now',
      '1.',
      '1.AAAA',
      '2020-13-01T00:00:00Z',
      `1.${'A'.repeat(2_000)}`,
      '\u0001',
    ])
      expect([from, await replay(from)]).toEqual([from, { status: 400, code: '22023' }]);
    expect(await until()).toBe(before);
    const missing = await supabase.rpc('replay_webhook', { webhook_id: hook.id });
    expect([missing.status, typeof missing.error?.code]).toEqual([404, 'string']);
  });
});

it('rows of deliveries are read-only', async () => {
  await nameClients('Ada');
  await noted(1);
  const table = supabase.from('webhook_deliveries');
  const answers = [
    await table.insert({ webhook_id: hook.id }),
    await table.update({ status: 'failed' }).eq('webhook_id', hook.id),
    await table.delete().eq('webhook_id', hook.id),
  ];
  for (const { status, error } of answers) expect([status < 500, error === null]).toEqual([true, false]);
  expect(answers.map(({ status }) => status)).toEqual([405, 405, 405]);
  const { data } = await supabase.from('webhook_deliveries').select().eq('webhook_id', hook.id);
  expect(data).toMatchObject([{ status: 'delivered', type: 'ClientRegistered', attempt: 1 }]);
});
