// Webhooks after their practice was erased, and after their creator has left the practice.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import {
  adminDatabase,
  eventually,
  find,
  invitationToken,
  make,
  newPractice,
  patch,
  practiceOf,
  remove,
  signIn,
  tablesWith,
} from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';
import { accept, receiver, type Receiver } from './receiver.js';

const admin = adminDatabase();
let to: Receiver;

beforeAll(async () => {
  to = await receiver();
});
afterAll(async () => {
  await to.close();
});

const rpc = ({ rest }: Practice, name: string, body: object): Promise<Answer> =>
  rest(`rpc/${name}`, { method: 'POST', body });

/** The private tables with rows of a practice. */
async function tablesOf({ therapistId }: Practice): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT 'progress' AS name FROM webhooks.webhook_progress WHERE therapist_id = $1
     UNION SELECT 'deliveries' FROM webhooks.webhook_deliveries WHERE therapist_id = $1 ORDER BY 1`,
    [therapistId],
  );
  return rows.map(({ name }) => name);
}

it('an erased practice has no secrets, cursors and deliveries, not even of an attempt that was running', async () => {
  const practice = await newPractice();
  const { id } = await make(practice, 'webhooks', { url: to.url, event_types: ['ClientRegistered'] });
  expect((await rpc(practice, 'rotate_webhook_secret', { webhook_id: id })).status).toBe(200);
  await make(practice, 'clients', { name: 'Ada' });
  await eventually('a delivery is noted', async () => (await tablesOf(practice)).includes('deliveries'));
  const sealed = await admin.query<Record<string, string>>(
    'SELECT sealed_secret, sealed_previous FROM webhooks.webhook_progress WHERE id = $1',
    [id],
  );
  let held: ServerResponse | undefined;
  to.behave = (response) => (held = response);
  await make(practice, 'clients', { name: 'Bob' });
  await eventually('an attempt is under way', () => held !== undefined);

  expect((await rpc(practice, 'close_practice', { name: 'My practice' })).status).toBe(200);
  await admin.query('UPDATE identity.practice_head SET erase_at = now() WHERE therapist_id = $1', [
    practice.therapistId,
  ]);
  await eventually('the rows are gone', async () => (await tablesOf(practice)).length === 0);
  to.behave = accept;
  held?.writeHead(204).end();

  // A delivery of the same process that ends later than the attempt.
  const other = await newPractice();
  await make(other, 'webhooks', { url: to.url, event_types: ['ClientRegistered'] });
  await make(other, 'clients', { name: 'Cy' });
  await eventually('another one is noted', async () => (await tablesOf(other)).includes('deliveries'));
  expect(await tablesOf(practice)).toEqual([]);
  for (const secret of Object.values(sealed.rows[0] ?? {}))
    expect(await tablesWith(admin, secret)).toEqual({});
  expect(Object.values(sealed.rows[0] ?? {})).toHaveLength(2);
});

/** A person who has joined a practice, with a session in it. */
async function joined(practice: Practice, role: string): Promise<{ member: Practice; membershipId: string }> {
  const person = await newPractice();
  const { id: membershipId } = await make(practice, 'memberships', { email: person.email, role });
  const token = await invitationToken(membershipId);
  expect((await rpc(person, 'accept_invitation', { token })).status).toBe(200);
  return { member: await within(person, practice), membershipId };
}

/** A new session of a person in a practice. */
async function within(person: Practice, { therapistId }: Practice): Promise<Practice> {
  const session = practiceOf(person, await signIn(person));
  expect((await rpc(session, 'switch_practice', { therapist_id: therapistId })).status).toBe(200);
  return practiceOf(person, await signIn(person));
}

it('a webhook continues after its creator has left the practice, but the creator has no access to it', async () => {
  to.received.length = 0;
  const practice = await newPractice();
  const { member: maker, membershipId } = await joined(practice, 'owner');
  const { id } = await make(maker, 'webhooks', { url: to.url, event_types: ['ClientRegistered'] });
  const next = async (name: string): Promise<void> => {
    const before = to.received.length;
    await make(practice, 'clients', { name });
    await eventually(`${name} has arrived`, () => to.received.length > before);
  };
  await next('Ada');

  await patch(practice, 'memberships', { id: membershipId, role: 'therapist' });
  const demoted = await within(maker, practice);
  const calls = [
    await maker.rest('webhooks'),
    await demoted.rest('webhooks'),
    await demoted.rest('webhook_deliveries'),
    await demoted.rest(`webhooks?id=eq.${id}`, { method: 'PATCH', body: { status: 'paused' } }),
    await demoted.rest(`webhooks?id=eq.${id}`, { method: 'DELETE' }),
    await rpc(demoted, 'rotate_webhook_secret', { webhook_id: id }),
    await rpc(demoted, 'replay_webhook', { webhook_id: id, from: '2020-01-01T00:00:00Z' }),
    await rpc(demoted, 'test_webhook', { webhook_id: id }),
  ];
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 403));
  await next('Bob');

  expect((await remove(practice, 'memberships', membershipId)).status).toBe(204);
  await next('Cy');
  expect(await find(practice, 'webhooks', id)).toMatchObject({ status: 'active', url: to.url });
  const made = await practice.rest(`webhooks_history?id=eq.${id}&event=eq.WebhookCreated&select=actor_id`);
  expect(made.json).not.toEqual([{ actor_id: practice.therapistId }]);
});
