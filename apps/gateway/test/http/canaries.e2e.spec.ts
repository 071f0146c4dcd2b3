// Secrets are planted everywhere that callers put them, in calls that succeed and that fail. No log and no error contains
// one, and the bus contains nothing confidential.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type Connection } from '@practice/bus';
import { answered, call, eventually, make, newPractice, stack } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';

const canary = (what: string): string => `Canary-${what}-${randomUUID()}`;
const planted = {
  name: canary('name'),
  phone: canary('phone'),
  content: canary('content'),
  notes: canary('notes'),
  vendor: canary('vendor'),
  filter: canary('filter'),
  // Short texts: of a path, long ones are not logged in any case.
  topic: `Ada-${randomUUID().slice(0, 8)}`,
  event: `note-${randomUUID().slice(0, 8)}`,
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
  const { name, phone, content, notes, vendor, topic, event } = planted;
  const client = await make(practice, 'clients', { name, phone, email: clientEmail });
  await make(practice, 'conversation_log', { client_id: client.id, content });
  await make(practice, 'sessions', { client_id: client.id, subjective });
  await make(practice, 'appointments', { date: '2031-01-01', start_time: '09:00', end_time: '10:00', notes });
  await make(practice, 'business_hours', hours);
  await make(practice, 'expenses', { date: '2031-01-01', amount: 1, vendor });
  const path = `/realtime/v1/api/broadcast/client%3A%20${topic}/events/${event}`;
  const { token } = practice;
  await answered('a broadcast', () =>
    call(path, { method: 'POST', body: {}, headers: { authorization: `Bearer ${token}` } }),
  );
  return client.id;
}

/** Sends calls that are refused, with secrets in every part. */
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
    post('clients', { name: planted.filter, email: clientEmail, status: planted.filter }),
    post('clients?columns=name,total_visits', { name: planted.filter, total_visits: planted.filter }),
    rest(`clients?name=eq.${name}`, { method: 'PATCH', body: { total_visits: planted.filter } }),
    ...refusedByPostgres().map((path) => rest(path)),
    ...refusedByPostgres()
      .slice(0, 9)
      .map((path) => rest(path, { method: 'PATCH', body: { name: planted.filter } })),
    ...['prefer', 'range', 'accept', 'if-none-match', 'accept-profile', 'traceparent'].map((header) =>
      rest(`clients?total_visits=eq.${planted.filter}`, { headers: { [header]: planted.filter } }),
    ),
    rest('clients?limit=1', { headers: { prefer: `timezone=${planted.filter}, handling=strict` } }),
    // Postgres refuses these calls, by a unique key and by an exclusion constraint.
    post('business_hours', hours),
    post('business_hours', { ...hours, open_time: '07:12' }),
  ]);
  refusals.push(...answers);
}

const processes = ['gateway', 'identity', 'scheduling', 'clients', 'clinical-notes', 'finance'];

const hours = { day_of_week: 'wednesday', open_time: '07:13', close_time: '07:14' };

/** Reads with values that Postgres rejects. The messages of Postgres contain the values. */
const refusedByPostgres = (): string[] => {
  const { name, filter } = planted;
  return [
    `clients?total_visits=eq.${filter}`,
    `clients?id=eq.${filter}`,
    `clients?created_at=gt.${filter}`,
    `clients?name=match.(${filter}`,
    `clients?name=imatch.[${filter}`,
    `clients?name=fts(english).((${filter}`,
    `clients?total_visits=in.(1,${filter})`,
    `clients?total_visits=eq(any).{1,${filter}}`,
    `clients?or=(id.eq.${filter},name.eq.x)`,
    // The value is in the row.
    `clients?select=name::int&name=eq.${name}`,
    'clients?select=phone::uuid',
    'clients?select=name::jsonb',
    'conversation_log?select=content::date',
    ...['date', 'int', 'uuid', 'jsonb', 'interval', 'bit', 'inet', 'float8'].map(
      (type) => `sessions?select=subjective::${type}`,
    ),
    'sessions?select=subjective::date.max()',
    'sessions_history?select=after->>subjective::timestamptz',
    'clients?select=name,sessions(subjective::date)',
    `clients?select=${filter}`,
    `clients?order=${filter}`,
    `clients?${filter}=eq.1`,
    `appointments?select=notes,clients!inner(name)&clients.total_visits=eq.${filter}`,
  ];
};

const logFolder = (): string => join(stack().dataDir, 'logs');

const logs = (): string => {
  const folder = logFolder();
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
};

it('secrets appear in no error and no log, and confidential values not on the bus', async () => {
  const client = await plantRecords();
  await plantRefusals(client);
  expect(refusals.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);

  // A process has written all of its lines once its last line is in the log.
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
  expect(readdirSync(logFolder())).toEqual(
    expect.arrayContaining(['postgres.log', 'nats-server.log', ...processes.map((name) => `${name}.log`)]),
  );
  const written = logs();
  expect(written).toContain('"path":"/rest/v1/sessions"');
  expect(written).toContain('"path":"/realtime/v1/api/broadcast/…"');
  expect([...credentials, ...personal].filter((secret) => written.includes(secret))).toEqual([]);

  // The key of a row contains the id of its practice.
  expect(readFileSync(join(stack().dataDir, 'logs', 'postgres.log'), 'utf8')).not.toContain(
    practice.therapistId,
  );

  const answered = refusals.map(({ text, headers }) => `${text} ${JSON.stringify([...headers])}`).join('\n');
  const { phone, content, vendor } = planted;
  expect(
    [...credentials, subjective, phone, content, vendor, practice.email].filter((secret) =>
      answered.includes(secret),
    ),
  ).toEqual([]);
  expect(answered).toContain('invalid input syntax for type date"');

  await eventually('its events are on the bus', () =>
    ['Client', 'SessionNote', 'Appointment', 'Expense'].every((kind) =>
      published.some((event) => event.includes(practice.therapistId) && event.includes(`${kind}`)),
    ),
  );
  // Other specs also send messages that are not events.
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
