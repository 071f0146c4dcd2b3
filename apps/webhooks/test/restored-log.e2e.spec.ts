// A log that was restored from an older copy: cursors of webhooks are ahead of it, and new events reuse positions of lost events.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { adminDatabase, eventually, find, make, newPractice, rowsOf, type Practice } from '@practice/testing';
import { receiver, type Receiver } from './receiver.js';

const admin = adminDatabase();
let to: Receiver;

beforeAll(async () => {
  to = await receiver();
});
afterAll(async () => {
  await to.close();
});

const EPOCH = 1_700_000_000;

/** Resets the log of clients to its first event, as a restore does, and begins an epoch. */
async function restore({ therapistId }: Practice): Promise<void> {
  const statements = [
    'DELETE FROM clients.events WHERE therapist_id = $1 AND position > 1',
    'DELETE FROM clients.personal_values WHERE therapist_id = $1 AND position > 1',
    `DELETE FROM clients.clients WHERE therapist_id = $1 AND id NOT IN
       (SELECT stream_id FROM clients.events WHERE therapist_id = $1)`,
    `UPDATE clients.practice_head AS h SET position = 1, hash = e.hash FROM clients.events AS e
     WHERE h.therapist_id = $1 AND e.therapist_id = $1 AND e.position = 1`,
    `INSERT INTO clients.restorations (therapist_id, epoch, after) VALUES ($1, ${EPOCH}, 1)`,
  ];
  await admin.query('BEGIN');
  for (const text of statements) expect((await admin.query(text, [therapistId])).rowCount).toBeGreaterThan(0);
  await admin.query('COMMIT');
}

it('a webhook gets every event of a restored log, even at positions that it has already passed', async () => {
  const practice = await newPractice();
  const hook = await make(practice, 'webhooks', { url: to.url, event_types: ['ClientRegistered'] });
  const write = async (...names: string[]): Promise<void> => {
    for (const name of names) await make(practice, 'clients', { name });
  };
  const arrived = async (...names: string[]): Promise<void> => {
    const got = (): string[] => to.received.map(({ event }) => (event.data as { name: string }).name);
    await eventually(`${names.length} have arrived`, () => to.received.length >= names.length);
    expect(got()).toEqual(names);
  };
  const cursor = async (): Promise<string> =>
    String((await find(practice, 'webhooks', hook.id))?.['delivered_until']);

  await write('Ada', 'Undone 2', 'Undone 3');
  await arrived('Ada', 'Undone 2', 'Undone 3');
  await eventually('the last one is noted', async () => (await deliveries(practice)) === 3);
  const ahead = await cursor();

  await restore(practice);
  await write('Bob');
  await arrived('Ada', 'Undone 2', 'Undone 3', 'Bob');
  await write('Cy', 'Di');
  await arrived('Ada', 'Undone 2', 'Undone 3', 'Bob', 'Cy', 'Di');
  expect(to.received.slice(-3).map(({ event }) => event)).toMatchObject([
    { position: 2, epoch: EPOCH },
    { position: 3, epoch: EPOCH },
    { position: 4, epoch: EPOCH },
  ]);

  // A cursor from before the restore, which a caller may have kept, means the last place that is still the same.
  to.received.length = 0;
  const body = { webhook_id: hook.id, from: ahead };
  expect((await practice.rest('rpc/replay_webhook', { method: 'POST', body })).status).toBe(200);
  await arrived('Bob', 'Cy', 'Di');
});

const deliveries = async (practice: Practice): Promise<number> =>
  (await rowsOf(practice, 'webhook_deliveries')).length;
