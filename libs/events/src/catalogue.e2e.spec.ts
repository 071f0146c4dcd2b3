import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '@practice/contracts';
import { connect } from '@practice/messaging';
import type { Connection } from '@practice/messaging';
import { call, eventually, find, make, newPractice, patch, remove, slot, stack } from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { ALL_SUBJECTS } from './envelope.js';
import type { CloudEvent } from './envelope.js';

interface Heard {
  readonly subject: string;
  readonly messageId: string | undefined;
  readonly contentType: string | undefined;
  readonly text: string;
}

interface Message extends Heard {
  readonly envelope: CloudEvent;
}

/** Part of every text of every note. It must appear nowhere else. */
const canary = `canary ${randomUUID()}`;
const texts = { subjective: canary, objective: canary, assessment: canary, plan: canary };
const refusals: string[] = [];
const seen: Heard[] = [];

let connection: Connection;
let practice: Practice;
let lastRequest = '';

/** The practice's own messages, each once: when one relay takes over from another, a message may be published again. */
const published = (): Message[] =>
  [...new Map(seen.map((message) => [message.text, message])).values()]
    .filter(({ text }) => text.includes(`"therapistid":"${practice.therapistId}"`))
    .map((heard) => ({ ...heard, envelope: JSON.parse(heard.text) as CloudEvent }));

const typesPublished = (): Set<string | undefined> =>
  new Set(published().map(({ envelope }) => envelope.type.split('.')[2]));

beforeAll(async () => {
  const logger = { info() {}, warn() {}, error() {} };
  connection = await connect({ url: stack().natsUrl('admin'), name: 'spec', logger });
  connection.nats.subscribe(ALL_SUBJECTS, {
    callback: (_error, message) => {
      // Not parsed: other specs publish messages that are not events.
      seen.push({
        subject: message.subject,
        messageId: message.headers?.get('Nats-Msg-Id'),
        contentType: message.headers?.get('content-type'),
        text: message.string(),
      });
    },
  });
  await connection.nats.flush();
  practice = await newPractice();
  await changeAccount();
  const ada = await make(practice, 'clients', { name: 'Ada' });
  await driveMenuHoursAndExpenses();
  await driveAppointments(ada);
  await driveClients(ada);
  await driveNotes(ada);
  await make(practice, 'conversation_log', { client_id: ada.id, content: 'hello' });
  const last = await practice.rest('expenses');
  lastRequest = last.headers.get('x-request-id') ?? '';
  // Each log has a relay of its own, and none waits for another.
  await eventually('every type was published', () => typesPublished().size >= eventTypes.length);
});

afterAll(() => connection.close());

async function changeAccount(): Promise<void> {
  const answer = await call('/auth/v1/user', {
    method: 'PUT',
    headers: { authorization: `Bearer ${practice.token}` },
    body: { email: `changed-${practice.email}`, password: randomUUID(), data: { name: 'Dana' } },
  });
  expect(answer.status).toBe(200);
}

async function driveMenuHoursAndExpenses(): Promise<void> {
  const drive = async (resource: string, record: object, changes: object): Promise<void> => {
    const { id } = await make(practice, resource, record);
    await patch(practice, resource, { id, ...changes });
    expect((await remove(practice, resource, id)).status).toBe(204);
  };
  await drive('service_menu', { name: 'Massage', duration: 50, price: 80 }, { price: 90 });
  const hours = { day_of_week: 'monday', open_time: '09:00', close_time: '17:00' };
  await drive('business_hours', hours, { close_time: '18:00' });
  await drive('expenses', { date: '2026-01-05', amount: 12.5 }, { vendor: 'Paper & Co' });
}

async function driveAppointments({ id: client }: Made): Promise<void> {
  const { id } = await make(practice, 'appointments', { ...slot(1), client_id: client });
  await patch(practice, 'appointments', { id, ...slot(2) });
  for (const status of ['confirmed', 'scheduled', 'completed', 'confirmed', 'cancelled', 'scheduled']) {
    await patch(practice, 'appointments', { id, status });
  }
  await patch(practice, 'appointments', { id, status: 'no_show' });
  await patch(practice, 'appointments', { id, notes: 'by phone' });
  expect((await remove(practice, 'appointments', id)).status).toBe(204);
}

async function driveClients({ id }: Made): Promise<void> {
  await eventually('the undone visit is uncounted', async () => {
    const types = published().map(({ envelope }) => envelope.type);
    return types.some((type) => type.includes('ClientVisitUncounted'));
  });
  const changes = { name: 'Ada B.', email: 'ada@example.com', status: 'inactive', total_visits: 7 };
  await patch(practice, 'clients', { id, ...changes });
  const { id: another } = await make(practice, 'clients', { name: 'Bo' });
  expect((await remove(practice, 'clients', another)).status).toBe(204);
}

async function driveNotes({ id: client }: Made): Promise<void> {
  const { id } = await make(practice, 'sessions', { client_id: client, ...texts });
  await patch(practice, 'sessions', { id, plan: `${canary}, amended` });
  expect((await find(practice, 'sessions', id))?.['plan']).toBe(`${canary}, amended`);
  const search = await practice.rest(`sessions?plan=ilike.*${encodeURIComponent(canary)}*`);
  expect((search.json as Made[]).map((note) => note.id)).toEqual([id]);
  const long = canary.padEnd(65_537, '.');
  for (const body of [
    { client_id: randomUUID(), ...texts },
    { client_id: client, id, ...texts },
    { client_id: client, ...texts, plan: long },
    { client_id: client, ...texts, plan: `${canary}\0` },
    { client_id: client, ...texts, appointment_id: 'none' },
    { ...texts },
    `{"client_id":"${client}","plan":"${canary}`,
    [{ client_id: client, ...texts }, { ...texts }],
  ]) {
    const answer = await practice.rest('sessions', { method: 'POST', body });
    refusals.push(`${answer.status} ${answer.text}`);
  }
  const wrong = await practice.rest(`sessions?id=eq.${id}`, {
    method: 'PATCH',
    body: { ...texts, client_id: randomUUID() },
  });
  refusals.push(`${wrong.status} ${wrong.text}`);
  expect((await remove(practice, 'sessions', id)).status).toBe(204);
}

describe('the published events', () => {
  it('are of every type of the catalogue, and no other', () => {
    expect([...typesPublished()].sort()).toEqual(eventTypes.map(({ type }) => String(type)).sort());
  });

  it('have the documented envelope', () => {
    for (const { subject, messageId, contentType, envelope } of published()) {
      expect(contentType).toBe('application/cloudevents+json');
      const [, , service, practiceId, aggregate, type] = subject.split('.');
      expect(practiceId).toBe(practice.therapistId);
      expect(envelope).toMatchObject({
        specversion: '1.0',
        id: messageId,
        source: `/practice/${service}`,
        type: `practice.${service}.${type}.v1`,
        datacontenttype: 'application/json',
        therapistid: practice.therapistId,
        subject: expect.stringMatching(/^[0-9a-f-]{36}$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)$/),
        correlationid: expect.stringMatching(/./),
      });
      expect(eventTypes.some((known) => known.type === type && known.aggregate === aggregate)).toBe(true);
    }
    expect(new Set(published().map(({ messageId }) => messageId)).size).toBe(published().length);
  });

  it('have the data that their schema describes', () => {
    for (const { envelope } of published()) {
      const type = envelope.type.split('.')[2];
      const { data } = eventTypes.find((known) => known.type === type) ?? {};
      const { properties = {}, required = [] } = data as { properties?: object; required?: string[] };
      const unknown = Object.keys(envelope.data).filter((key) => !(key in properties));
      const missing = required.filter((key) => !(key in envelope.data));
      expect({ type, unknown, missing }).toEqual({ type, unknown: [], missing: [] });
    }
  });

  it('are numbered without gaps in each log and each stream', () => {
    const logs = new Map<string, number>();
    const streams = new Map<string, number>();
    for (const message of published()) {
      const { source, subject, position, streamversion } = message.envelope;
      const aggregate = message.subject.split('.').at(-2);
      expect([source, position]).toEqual([source, (logs.get(source) ?? 0) + 1]);
      logs.set(source, position);
      const stream = `${source} ${aggregate} ${subject}`;
      expect([stream, streamversion]).toEqual([stream, (streams.get(stream) ?? 0) + 1]);
      streams.set(stream, streamversion);
    }
  });

  it('name their cause where a policy reacted', () => {
    const byId = new Map(published().map(({ envelope }) => [envelope.id, envelope]));
    const counted = published().filter(({ envelope }) => envelope.type.includes('ClientVisitCounted'));
    expect(counted.length).toBe(1);
    for (const { envelope } of counted) {
      const cause = byId.get(envelope.causationid ?? '');
      expect(cause?.type).toBe('practice.scheduling.AppointmentCompleted.v1');
      expect(envelope.correlationid).toBe(cause?.correlationid);
    }
  });
});

describe('the texts of session notes', () => {
  it('are in no event, of this practice or another', () => {
    const notes = published().filter(({ subject }) => subject.includes('session_note'));
    expect(notes.length).toBe(3);
    expect(seen.filter(({ text }) => text.includes(canary))).toEqual([]);
  });

  it('are in no error response', () => {
    expect(refusals.map((text) => text.slice(0, 3))).toEqual([
      ...['409', '409', '400', '400', '400', '400', '400', '400', '409'],
    ]);
    expect(refusals.filter((text) => text.includes(texts.plan))).toEqual([]);
  });

  it('are in no line of any log', async () => {
    const folder = join(stack().dataDir, 'logs');
    const logs = (): string[] => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    await eventually('the logs contain the last request', () =>
      logs().some((text) => text.includes(lastRequest)),
    );
    expect(logs().filter((text) => text.includes(canary)).length).toBe(0);
  });
});
