import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog, eventTypes, logSeals, oauthGrants, practiceExports } from '@practice/contracts';
import { connect, type Connection } from '../messaging/connection.js';
import {
  adminDatabase,
  call,
  eventually,
  find,
  invitationToken,
  make,
  newPractice,
  patch,
  remove,
  slot,
  stack,
} from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { ALL_SUBJECTS, type CloudEvent } from './envelope.js';
import { drive, driveApps, driveClinicalRecords, driveMoney } from './testing/records.js';

interface Heard {
  readonly subject: string;
  readonly messageId: string | undefined;
  readonly contentType: string | undefined;
  readonly text: string;
}

interface Message extends Heard {
  readonly envelope: CloudEvent;
}

/** Part of every text of every note. It must appear nowhere outside the notes. */
const canary = `canary ${randomUUID()}`;
const texts = { subjective: canary, objective: canary, assessment: canary, plan: canary };
const refusals: string[] = [];
const seen: Heard[] = [];

/**
 * Other specs have these. Seals belong to no practice: see log-seals.e2e.spec.ts. A quick export records no progress, and a
 * successful one no failure: see exports.e2e.spec.ts and export-practice.e2e.spec.ts. Grants are in oauth.e2e.spec.ts.
 * `LogRestored` is in no log: see restored-database.e2e.spec.ts and restored-event.spec.ts.
 */
const elsewhere: readonly string[] = [logSeals.aggregate, practiceExports.aggregate, oauthGrants.aggregate];
/** An undo records ordinary changes of balances and settings, and never takes back a credit note. */
const notUndone: readonly string[] = ['client_balances', 'billing_settings', 'credit_notes'];
const ofPractices = eventTypes.filter(
  ({ aggregate, type }) =>
    !elsewhere.includes(aggregate) &&
    !(
      notUndone.some((name) => catalog.resources.get(name)?.aggregate === aggregate) &&
      /(?:Restored|Withdrawn)$/.test(type)
    ),
);

let connection: Connection;
const admin = adminDatabase();
let practice: Practice;
/** A practice that erases a client. */
let erasing: Practice;
let lastRequest = '';

/**
 * The messages of a practice, each as it was published first. An event may be published again: when one relay takes over from another,
 * and without its personal values by the erasure of the practice.
 */
function published({ therapistId } = practice): Message[] {
  const first = new Map<string, Message>();
  for (const heard of seen) {
    if (!heard.text.includes(`"therapistid":"${therapistId}"`)) continue;
    const envelope = JSON.parse(heard.text) as CloudEvent;
    if (!first.has(envelope.id)) first.set(envelope.id, { ...heard, envelope });
  }
  return [...first.values()];
}

const typesPublished = (): Set<string | undefined> =>
  new Set(
    [practice, erasing].flatMap((one) => published(one)).map(({ envelope }) => envelope.type.split('.')[2]),
  );

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
  erasing = await newPractice();
  await changeAccount();
  const ada = await make(practice, 'clients', { name: 'Ada' });
  await driveMenuHoursAndExpenses();
  await driveAppointments(ada);
  await driveSeries();
  await driveClients(ada);
  await driveNotes(ada);
  await driveClinicalRecords(practice, ada);
  await driveMoney(practice, ada);
  await driveApps(practice);
  await make(practice, 'conversation_log', { client_id: ada.id, content: 'hello' });
  const settings = { id: practice.therapistId };
  await patch(practice, 'practice_settings', { ...settings, slot_step: 20 });
  await driveUndo();
  await patch(practice, 'practice_settings', { ...settings, slot_step: 30 });
  await drivePeople();
  await driveWebhooks();
  await driveErasure();
  const last = await practice.rest('expenses');
  lastRequest = last.headers.get('x-request-id') ?? '';
  await endPractice();
  // Each log has its own relay, and no relay waits for another.
  await eventually('every type was published', () => typesPublished().size >= ofPractices.length);
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

/** Drives a webhook whose receiver does not exist. After the first failure, the counter is set to nine failures. */
async function driveWebhooks(): Promise<void> {
  const more = { url: 'http://127.0.0.1:9/', event_types: ['ExpenseRecorded'] };
  const webhook = await make(practice, 'webhooks', more);
  const { id } = webhook;
  await patch(practice, 'webhooks', { id, description: 'reminders' });
  await patch(practice, 'webhooks', { id, status: 'paused' });
  await patch(practice, 'webhooks', { id, status: 'active' });
  const rotation = { method: 'POST', body: { webhook_id: id } };
  expect((await practice.rest('rpc/rotate_webhook_secret', rotation)).status).toBe(200);
  await make(practice, 'expenses', { date: '2026-01-05', amount: 1 });
  await eventually('the webhook is failing', async () => {
    await admin.query(
      `UPDATE webhooks.webhook_progress SET failures = 9, next_attempt_at = now()
       WHERE id = $1 AND failures BETWEEN 1 AND 8`,
      [id],
    );
    return (await find(practice, 'webhooks', id))?.['status'] === 'failing';
  });
  expect((await remove(practice, 'webhooks', id)).status).toBe(204);
}

/** Takes back a deletion in each resource. In a resource without deletions, an entry is withdrawn first, and that is taken back. */
async function driveUndo(): Promise<void> {
  const undo = async (change: string | null): Promise<string | null> => {
    const answer = await practice.rest('rpc/undo', { method: 'POST', body: { change_id: change } });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    return answer.headers.get('change-id');
  };
  for (const { name, isUndoable, ...resource } of catalog.resources.values()) {
    if (isUndoable === false || notUndone.includes(name)) continue;
    // Callers cannot delete records of this resource, but an undo withdraws them.
    const isWithdrawn = resource.appendOnly === true || resource.fromStart === true;
    const query = `select=change_id&order=position.desc&limit=1${isWithdrawn ? '' : '&after=is.null'}`;
    const { json } = await practice.rest(`${name}_history?${query}`);
    const change = (json as { change_id: string }[])[0]?.change_id ?? null;
    await undo(isWithdrawn ? await undo(change) : change);
  }
}

async function drivePeople(): Promise<void> {
  await patch(practice, 'practices', { id: practice.therapistId, name: 'The old mill' });
  const joining = await newPractice();
  const invited = { email: joining.email, role: 'billing', display_name: 'Ed' };
  const { id } = await make(practice, 'memberships', invited);
  const body = { token: await invitationToken(id) };
  expect((await joining.rest('rpc/accept_invitation', { method: 'POST', body })).status).toBe(200);
  await patch(practice, 'memberships', { id, role: 'front_desk', display_name: 'Edward' });
  for (const status of ['removed', 'invited']) await patch(practice, 'memberships', { id, status });
  expect((await remove(practice, 'memberships', id)).status).toBe(204);
}

async function driveErasure(): Promise<void> {
  const { id } = await make(erasing, 'clients', { name: 'Cy' });
  const answer = await erasing.rest('rpc/erase_client', { method: 'POST', body: { client_id: id } });
  expect(answer.status).toBe(202);
}

/** Closes the practice, reopens it, closes it again, and then makes its erasure due. */
async function endPractice(): Promise<void> {
  for (const name of ['close_practice', 'reopen_practice', 'close_practice']) {
    const body = name === 'close_practice' ? { name: 'The old mill' } : {};
    const answer = await practice.rest(`rpc/${name}`, { method: 'POST', body });
    expect([name, answer.status]).toEqual([name, 200]);
  }
  const text = 'UPDATE identity.practice_head SET erase_at = now() WHERE therapist_id = $1';
  await admin.query(text, [practice.therapistId]);
}

async function driveMenuHoursAndExpenses(): Promise<void> {
  await drive(practice, 'service_menu', {
    record: { name: 'Massage', duration: 50, price: 80 },
    changes: { price: 90 },
  });
  await drive(practice, 'business_hours', {
    record: { day_of_week: 'monday', open_time: '09:00', close_time: '17:00' },
    changes: { close_time: '18:00' },
  });
  await drive(practice, 'expenses', {
    record: { date: '2026-01-05', amount: 12.5 },
    changes: { vendor: 'Paper & Co' },
  });
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

async function driveSeries(): Promise<void> {
  const series = { rrule: 'FREQ=WEEKLY;COUNT=2', ...slot(3) };
  const { id } = await make(practice, 'appointment_series', series);
  await patch(practice, 'appointment_series', { id, notes: 'by phone' });
  await patch(practice, 'appointment_series', { id, status: 'ended' });
  expect((await remove(practice, 'appointment_series', id)).status).toBe(204);
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
  it('have every type of the catalogue, and no other', () => {
    expect([...typesPublished()].sort()).toEqual(ofPractices.map(({ type }) => String(type)).sort());
  });

  it('have the documented envelope', () => {
    for (const { subject, messageId, contentType, envelope } of published()) {
      expect(contentType).toBe('application/cloudevents+json');
      const [, , service, practiceId, aggregate, type] = subject.split('.');
      expect(practiceId).toBe(practice.therapistId);
      const known = ofPractices.find((one) => one.type === type && one.aggregate === aggregate);
      expect(envelope).toMatchObject({
        specversion: '1.0',
        id: messageId,
        source: `/practice/${service}`,
        type: `practice.${service}.${type}.v${known?.version}`,
        datacontenttype: 'application/json',
        therapistid: practice.therapistId,
        subject: expect.stringMatching(/^[0-9a-f-]{36}$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)$/),
        correlationid: expect.stringMatching(/./),
      });
    }
    expect(new Set(published().map(({ messageId }) => messageId)).size).toBe(published().length);
  });

  it('have data that matches their schema', () => {
    for (const { envelope } of published()) {
      const type = envelope.type.split('.')[2];
      const { data } = ofPractices.find((known) => known.type === type) ?? {};
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

  it('name their cause when a policy recorded them', () => {
    const byId = new Map(published().map(({ envelope }) => [envelope.id, envelope]));
    const counted = published().filter(({ envelope }) => envelope.type.includes('ClientVisitCounted'));
    expect(counted.length).toBe(2);
    for (const { envelope } of counted) {
      const cause = byId.get(envelope.causationid ?? '');
      expect(cause?.type).toBe('practice.scheduling.AppointmentCompleted.v1');
      expect(envelope.correlationid).toBe(cause?.correlationid);
    }
  });
});

describe('the texts of session notes', () => {
  it('are in no event of any practice', () => {
    const notes = published().filter(({ subject }) => subject.includes('session_note'));
    expect(notes.length).toBe(8);
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
