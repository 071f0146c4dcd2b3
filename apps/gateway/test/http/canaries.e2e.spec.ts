// Secrets are planted everywhere that callers put them, in calls that succeed and that fail. No log and no error contains
// one, and the bus contains nothing confidential.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from '@practice/messaging';
import type { Connection } from '@practice/messaging';
import { call, eventually, make, newPractice, stack } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';

const canary = (what: string): string => `Canary-${what}-${randomUUID()}`;
const planted = {
  name: canary('name'),
  phone: canary('phone'),
  content: canary('content'),
  notes: canary('notes'),
  vendor: canary('vendor'),
};
const subjective = canary('subjective');
const wrongPassword = canary('wrong-password');
const forgedToken = canary('token');
const refreshToken = canary('refresh');
const clientEmail = `${canary('mail')}@example.com`.toLowerCase();

let bus: Connection;
let practice: Practice;
const published: string[] = [];
const refusals: Answer[] = [];

beforeAll(async () => {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  bus = await connect({ url: stack().natsUrl('admin'), name: 'canaries', logger });
  bus.nats.subscribe('practice.events.>', {
    callback: (_error, message) => void published.push(message.string()),
  });
  await bus.nats.flush();
  practice = await newPractice();
});
afterAll(() => bus.close());

async function plantRecords(): Promise<string> {
  const { name, phone, content, notes, vendor } = planted;
  const client = await make(practice, 'clients', { name, phone, email: clientEmail });
  await make(practice, 'conversation_log', { client_id: client.id, content });
  await make(practice, 'sessions', { client_id: client.id, subjective });
  await make(practice, 'appointments', { date: '2031-01-01', start_time: '09:00', end_time: '10:00', notes });
  await make(practice, 'expenses', { date: '2031-01-01', amount: 1, vendor });
  return client.id;
}

/** Calls that are refused, with secrets in every part of them. */
async function plantRefusals(client: string): Promise<void> {
  const { rest, email } = practice;
  const { name, notes } = planted;
  const post = (resource: string, body: unknown): Promise<Answer> => rest(resource, { method: 'POST', body });
  const signIn = (grant: string, body: object): Promise<Answer> =>
    call(`/auth/v1/token?grant_type=${grant}`, { method: 'POST', body });
  const answers = await Promise.all([
    signIn('password', { email, password: wrongPassword }),
    signIn('password', { email: clientEmail, password: wrongPassword }),
    signIn('refresh_token', { refresh_token: refreshToken }),
    call('/auth/v1/signup', { method: 'POST', body: { email, password: wrongPassword } }),
    call('/auth/v1/signup', {
      method: 'POST',
      body: `{"email":"${clientEmail}","password":"${wrongPassword}`,
    }),
    rest('clients', { headers: { authorization: `Bearer ${forgedToken}` } }),
    rest('clients', { headers: { authorization: `Bearer e30.${forgedToken}.x` } }),
    rest('clients', { headers: { apikey: forgedToken } }),
    call(`/rest/v1/clients?apikey=${forgedToken}`, { headers: { apikey: '' } }),
    post('sessions', { client_id: randomUUID(), subjective, plan: [subjective] }),
    post('sessions', `{"client_id":"${client}","subjective":"${subjective}`),
    post('sessions', { client_id: client, appointment_id: randomUUID(), subjective }),
    post('appointments', { date: '2031-01-01', start_time: '09:30', end_time: '09:45', notes }),
    post('clients', { name, email: 'none', phone: 1 }),
    rest(`clients?id=eq.${client}`, { method: 'DELETE', headers: { 'if-match': '"9"' } }),
    rest(`clients?name=eq.${name}&limit=-1`),
  ]);
  refusals.push(...answers);
}

const logs = (): string => {
  const folder = join(stack().dataDir, 'logs');
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
};

it('secrets stay where they belong', async () => {
  const client = await plantRecords();
  await plantRefusals(client);
  expect(refusals.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);

  // The process that wrote its last line last has written all before it.
  const last = randomUUID();
  for (const resource of ['clients', 'sessions', 'appointments', 'expenses'])
    await practice.rest(`${resource}?limit=1`, { headers: { 'x-request-id': last } });
  await eventually('the logs are written', () => logs().split(last).length > 8);
  const credentials = [
    ...[practice.password, practice.token, wrongPassword, forgedToken, refreshToken],
    ...[
      stack().apikey,
      ...['scheduling', 'clients', 'gateway'].map((user) => new URL(stack().natsUrl(user)).password),
    ],
  ];
  const personal = [...Object.values(planted), subjective, clientEmail, practice.email];
  const written = logs();
  expect(written).toContain('"path":"/rest/v1/sessions"');
  expect([...credentials, ...personal].filter((secret) => written.includes(secret))).toEqual([]);

  const answered = refusals.map(({ text, headers }) => `${text} ${JSON.stringify([...headers])}`).join('\n');
  expect([...credentials, subjective, practice.email].filter((secret) => answered.includes(secret))).toEqual(
    [],
  );

  await eventually('its events are on the bus', () =>
    ['Client', 'SessionNote', 'Appointment', 'Expense'].every((kind) =>
      published.some((event) => event.includes(practice.therapistId) && event.includes(`${kind}`)),
    ),
  );
  // Other specs send what is no event, too.
  const events = published.filter((message) => message.startsWith('{'));
  const envelopes = events.map((event) => {
    const { data, ...envelope } = JSON.parse(event) as { data: unknown };
    return { data: JSON.stringify(data), envelope: JSON.stringify(envelope) };
  });
  expect(personal.filter((secret) => envelopes.some(({ envelope }) => envelope.includes(secret)))).toEqual(
    [],
  );
  const bodies = envelopes.map(({ data }) => data).join('\n');
  expect([...credentials, subjective].filter((secret) => bodies.includes(secret))).toEqual([]);
  expect(bodies).toContain(planted.name);
});
