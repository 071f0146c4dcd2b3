// Deliveries from the view of an owner, at real receivers.
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createPublisher, connect } from '@practice/bus';
import {
  adminDatabase,
  eventually,
  find,
  make,
  newPractice,
  patch,
  remove,
  rowsOf,
  stack,
} from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import { Webhook } from 'standardwebhooks';
import { accept, answer, hang, postponed, receiver, type Received, type Receiver } from './receiver.js';

const admin = adminDatabase();
const open: Receiver[] = [];

afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
});

async function opened(behave = accept): Promise<Receiver> {
  const one = await receiver(behave);
  open.push(one);
  return one;
}

const rpc = (practice: Practice, name: string, body: object): Promise<Answer> =>
  practice.rest(`rpc/${name}`, { method: 'POST', body });

interface Row {
  readonly event_id: string;
  readonly type: string;
  readonly attempt: number;
  readonly status: string;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly next_attempt_at: string | null;
}

const deliveries = (practice: Practice, { id }: Made): Promise<Row[]> =>
  rowsOf(practice, `webhook_deliveries?webhook_id=eq.${id}&order=at,attempt`);

/** Ends the wait after a failed attempt. */
const letPass = ({ id }: Made): Promise<unknown> =>
  admin.query('UPDATE webhooks.webhook_progress SET next_attempt_at = now() WHERE id = $1', [id]);

const nameClient = (practice: Practice, name = 'Ada'): Promise<Made> => make(practice, 'clients', { name });

const clientTypes = ['ClientRegistered', 'ClientRenamed', 'ClientDeleted'];

describe('deliveries', () => {
  let practice: Practice;
  let to: Receiver;
  beforeEach(async () => {
    practice = await newPractice();
    to = await opened();
  });

  const arrived = async (index: number): Promise<Received> => {
    await eventually(`message ${index} has arrived`, () => to.received.length > index);
    return to.received[index] as Received;
  };
  const hook = (more: object = {}): Promise<Made> =>
    make(practice, 'webhooks', { url: to.url, event_types: clientTypes, ...more });

  it('continue after an event that belongs to no practice', async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const connection = await connect({ url: stack().natsUrl('admin'), name: 'spec', logger: log });
    const ids = { eventId: randomUUID(), requestId: 'r', correlationId: 'c' };
    await createPublisher({ connection, service: randomUUID() }).publish([
      {
        ...{ type: 'LampLit', data: {}, therapistId: 'nobody', position: 1, aggregate: 'lamp', version: 1 },
        ...{ streamId: randomUUID(), schemaVersion: 1, recordedAt: '2026-05-01T08:00:00+00:00' },
        metadata: { ...ids, actor: { kind: 'system' } },
      },
    ]);
    await connection.close();
    await hook();
    await nameClient(practice);
    await arrived(0);
  });

  it('are signed events from the creation on, in order', async () => {
    await nameClient(practice, 'Before');
    const made = await hook();
    const client = await nameClient(practice);
    await patch(practice, 'clients', { id: client.id, name: 'Ada L.' });
    await remove(practice, 'clients', client.id);
    await eventually('all three have arrived', () => to.received.length >= 3);
    expect(to.types()).toEqual(clientTypes);
    const [first] = to.received;
    expect(first?.event).toMatchObject({
      specversion: '1.0',
      source: '/practice/clients',
      subject: client.id,
      therapistid: practice.therapistId,
      data: { name: 'Ada' },
    });
    const verifier = new Webhook(String(made['secret']));
    for (const { headers, body } of to.received)
      expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
    await eventually('the rows are there', async () => (await deliveries(practice, made)).length === 3);
    expect((await deliveries(practice, made))[0]).toMatchObject({
      event_id: first?.event.id,
      type: 'ClientRegistered',
      attempt: 1,
      status: 'delivered',
      response_status: 204,
      error: null,
      next_attempt_at: null,
    });
  });

  it('have all types if no types are named, and never confidential columns', async () => {
    const client = await nameClient(practice);
    await hook({ event_types: null });
    await make(practice, 'sessions', { client_id: client.id, plan: 'a secret plan' });
    await eventually('the note has arrived', () => to.types().includes('SessionNoteWritten'));
    expect(JSON.stringify(to.received)).not.toContain('a secret plan');
    expect(JSON.stringify(to.received)).not.toContain(to.url);
  });

  it('that fail wait in their order, while other webhooks continue', async () => {
    const other = await opened();
    const made = await hook();
    await make(practice, 'webhooks', { url: other.url, event_types: clientTypes });
    to.behave = answer(500);
    const client = await nameClient(practice);
    await postponed(admin, made);
    await patch(practice, 'clients', { id: client.id, name: 'Ada L.' });
    await eventually('the other one has both', () => other.received.length === 2);
    await eventually(
      'the first attempt is noted',
      async () => (await deliveries(practice, made)).length === 1,
    );
    expect(await deliveries(practice, made)).toMatchObject([
      { attempt: 1, status: 'retrying', response_status: 500, error: 'the response was 500' },
    ]);
    expect(to.types()).toEqual(['ClientRegistered']);
    to.behave = accept;
    await letPass(made);
    await eventually('both have arrived', () => to.received.length === 3);
    expect(to.types()).toEqual(['ClientRegistered', 'ClientRegistered', 'ClientRenamed']);
    expect(new Set(to.received.slice(0, 2).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('end after ten attempts: the webhook is failing, with an event, and no event is lost', async () => {
    const watcher = await opened();
    const made = await hook();
    await make(practice, 'webhooks', { url: watcher.url, event_types: ['WebhookFailing'] });
    to.behave = answer(404);
    await nameClient(practice);
    await postponed(admin, made);
    const noted = (count: number): Promise<boolean> =>
      eventually(
        `attempt ${count} is noted`,
        async () => (await deliveries(practice, made)).length === count,
      );
    await noted(1);
    await letPass(made);
    await noted(2);
    // The attempts in between are the same.
    await admin.query(
      'UPDATE webhooks.webhook_progress SET failures = 9, next_attempt_at = now() WHERE id = $1',
      [made.id],
    );
    await noted(3);
    await eventually(
      'it is failing',
      async () => (await find(practice, 'webhooks', made.id))?.['status'] === 'failing',
    );
    await eventually('the event has arrived', () => watcher.types().includes('WebhookFailing'));
    const rows = await deliveries(practice, made);
    expect(rows.map(({ attempt }) => attempt)).toEqual([1, 2, 10]);
    expect(rows.at(-1)).toMatchObject({ status: 'failed', next_attempt_at: null });
    to.behave = accept;
    await nameClient(practice, 'Bob');
    await patch(practice, 'webhooks', { id: made.id, status: 'active' });
    await eventually('both have arrived', () => to.received.length === 5);
    expect(to.received.slice(-2).map(({ event }) => (event.data as { name: string }).name)).toEqual([
      'Ada',
      'Bob',
    ]);
  });

  it('that were due during a pause arrive after it', async () => {
    const made = await hook({ status: 'paused' });
    await nameClient(practice);
    const ping = await rpc(practice, 'test_webhook', { webhook_id: made.id });
    expect(ping.status).toBe(202);
    await eventually('the ping has arrived', () => to.received.length === 1);
    const { event_id: id } = ping.json as { event_id: string };
    expect(to.received[0]).toMatchObject({ type: 'Ping', event: { id }, headers: { 'webhook-id': id } });
    await patch(practice, 'webhooks', { id: made.id, status: 'active' });
    await eventually('the event has arrived', () => to.received.length === 2);
    expect(to.types()).toEqual(['Ping', 'ClientRegistered']);
  });

  it('can be replayed from a cursor and from a time', async () => {
    const made = await hook();
    const place = async (): Promise<string | null> =>
      (await find(practice, 'webhooks', made.id))?.['delivered_until'] as string | null;
    await nameClient(practice);
    await eventually('it has arrived', () => to.received.length === 1);
    // The row of an attempt is stored together with the cursor after its event.
    await eventually('it is noted', async () => (await deliveries(practice, made)).length === 1);
    const cursor = await place();
    await nameClient(practice, 'Bob');
    await eventually('the second has arrived', () => to.received.length === 2);
    const from = (value: string): Promise<Answer> =>
      rpc(practice, 'replay_webhook', { webhook_id: made.id, from: value });
    expect(await from(String(cursor))).toMatchObject({ status: 200, json: { delivered_until: cursor } });
    await eventually('the second has arrived again', () => to.received.length === 3);
    expect((await from('2020-01-01T00:00:00Z')).status).toBe(200);
    await eventually('both have arrived again', () => to.received.length === 5);
    const names = to.received.map(({ event }) => (event.data as { name: string }).name);
    expect(names).toEqual(['Ada', 'Bob', 'Bob', 'Ada', 'Bob']);
    expect(await from('yesterday-ish')).toMatchObject({ status: 400, json: { code: '22023' } });
    const foreign = await newPractice();
    const wrong = { webhook_id: made.id, from: String(cursor) };
    for (const name of ['replay_webhook', 'test_webhook', 'rotate_webhook_secret'])
      expect(
        await rpc(foreign, name, name === 'replay_webhook' ? wrong : { webhook_id: made.id }),
      ).toMatchObject({
        status: 404,
        json: { code: 'PM404' },
      });
  });

  it('have two signatures for a day after the secret was rotated', async () => {
    const made = await hook();
    const rotated = await rpc(practice, 'rotate_webhook_secret', { webhook_id: made.id });
    const { secret } = rotated.json as { secret: string };
    await nameClient(practice);
    const first = await arrived(0);
    for (const key of [secret, String(made['secret'])])
      expect(new Webhook(key).verify(first.body, first.headers)).toBeTruthy();
    expect(first.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    await admin.query(
      `UPDATE webhooks.webhook_progress SET previous_until = now() - interval '1 second' WHERE id = $1`,
      [made.id],
    );
    await nameClient(practice);
    const second = await arrived(1);
    expect(new Webhook(secret).verify(second.body, second.headers)).toBeTruthy();
    expect(() => new Webhook(String(made['secret'])).verify(second.body, second.headers)).toThrow();
    expect(await find(practice, 'webhooks', made.id)).toMatchObject({
      secret: null,
      secret_rotated_at: expect.any(String),
    });
  });

  it('to an endpoint that hangs do not delay other deliveries', async () => {
    const stuck = await opened(hang);
    await make(practice, 'webhooks', { url: stuck.url, event_types: clientTypes });
    await hook();
    await nameClient(practice);
    await eventually('the hanging one has it', () => stuck.received.length === 1);
    await nameClient(practice, 'Bob');
    await eventually('the other one has both', () => to.received.length === 2);
    expect(stuck.received).toHaveLength(1);
  });

  it('follow no redirect, and never quote a response', async () => {
    const target = await opened();
    to.behave = answer(302, { location: target.url });
    const made = await hook();
    await nameClient(practice);
    await postponed(admin, made);
    await eventually('the attempt is noted', async () => (await deliveries(practice, made)).length === 1);
    expect(await deliveries(practice, made)).toMatchObject([
      { response_status: 302, error: 'the response was a redirect (302), which is not followed' },
    ]);
    expect(target.received).toEqual([]);
  });

  it('stop when the webhook is deleted, and keep their rows', async () => {
    const made = await hook();
    await nameClient(practice);
    await eventually('it has arrived', () => to.received.length === 1);
    await eventually('the row is there', async () => (await deliveries(practice, made)).length === 1);
    await remove(practice, 'webhooks', made.id);
    await nameClient(practice, 'Bob');
    const watcher = await opened();
    await make(practice, 'webhooks', { url: watcher.url, event_types: clientTypes });
    await nameClient(practice, 'Cy');
    await eventually('a later webhook has a later event', () => watcher.received.length === 1);
    expect(to.received).toHaveLength(1);
    expect(await deliveries(practice, made)).toHaveLength(1);
  });
});
