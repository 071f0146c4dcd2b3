// The events of a client's records, across services, in one list.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { call as send, eventually, make, memberOf, newPractice, patch } from '@practice/testing';
import { remove, write, type Made, type Practice } from '@practice/testing';
import { clientOf } from './practice.js';

interface Entry {
  readonly at: string;
  readonly kind: string;
  readonly title: string;
  readonly resource: string;
  readonly id: string;
  readonly change_id: string;
}

type Asked = Readonly<Record<string, unknown>>;

async function timeline(caller: Practice, asked: Asked): Promise<readonly Entry[]> {
  const { data, error } = await clientOf(caller).rpc('timeline', asked);
  expect(error).toBeNull();
  return data as Entry[];
}

const titlesOf = (entries: readonly Entry[]): string[] => entries.map(({ title }) => title);

async function call(practice: Practice, name: string, body: object): Promise<unknown> {
  const { status, json, text } = await write(practice, `rpc/${name}`, { method: 'POST', body });
  expect([status, status < 300 ? '' : text]).toEqual([status, '']);
  return json;
}

const SECRET = 'Confided in strictest confidence';
const NAME = 'Ada Lovelace';
const day = { date: '2031-01-07', start_time: '09:00', end_time: '09:50' };

let practice: Practice;
let client: Made;
let appointment: Made;
let note: Made;
let all: readonly Entry[];

beforeAll(async () => {
  practice = await newPractice();
  client = await make(practice, 'clients', { name: NAME, email: 'ada@example.com' });
  const other = await make(practice, 'clients', { name: 'Bob' });
  appointment = await make(practice, 'appointments', { ...day, client_id: client.id, notes: SECRET });
  await patch(practice, 'appointments', { id: appointment.id, status: 'confirmed' });
  await patch(practice, 'appointments', { id: appointment.id, start_time: '10:00', end_time: '10:50' });
  await patch(practice, 'appointments', { id: appointment.id, status: 'completed' });
  const entry = { client_id: client.id, role: 'client', channel: 'email', content: SECRET };
  await make(practice, 'conversation_log', entry);
  note = await make(practice, 'sessions', { client_id: client.id, subjective: SECRET });
  await call(practice, 'sign_note', { session_id: note.id, meaning: 'authorship' });
  await make(practice, 'private_notes', { client_id: client.id, text: SECRET });
  await make(practice, 'measures', { client_id: client.id, instrument: 'phq-2', answers: { 1: 0, 2: 1 } });
  const invoice = await make(practice, 'invoices', { client_id: client.id, memo: SECRET });
  const item = { invoice_id: invoice.id, description: 'Session', unit_price: 120 };
  await make(practice, 'invoice_items', item);
  await call(practice, 'finalize_invoice', { invoice_id: invoice.id });
  await patch(practice, 'invoices', { id: invoice.id, status: 'void' });
  const payment = { client_id: client.id, date: '2026-01-05', amount: 20, method: 'cash', note: SECRET };
  await make(practice, 'payments', payment);
  await patch(practice, 'clients', { id: client.id, status: 'inactive' });
  await make(practice, 'conversation_log', { client_id: other.id, content: 'hello' });
  all = await timeline(practice, { client_id: client.id });
});

describe('rpc/timeline', () => {
  it('lists the events of the client in order, without words of the records', () => {
    expect(titlesOf(all.toReversed())).toEqual([
      'Client registered',
      'Appointment scheduled: 2031-01-07, 09:00',
      'Appointment confirmed: 2031-01-07, 09:00',
      'Appointment rescheduled: 2031-01-07, 10:00',
      'Appointment completed: 2031-01-07, 10:00',
      'Conversation entry logged: email, client',
      'Session note written',
      'Session note signed',
      'Private note written',
      'Measure taken',
      'Invoice drafted',
      expect.stringMatching(/^Invoice finalized: INV-\d+, 120.00$/),
      expect.stringMatching(/^Invoice voided: INV-\d+, 120.00$/),
      'Payment recorded: 20.00',
      'Client status changed: inactive',
    ]);
    expect(all).toContainEqual({
      ...{ at: expect.any(String), kind: 'appointment', resource: 'appointments', id: appointment.id },
      title: 'Appointment scheduled: 2031-01-07, 09:00',
      change_id: expect.stringMatching(/^scheduling:\d+$/),
    });
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set(['appointment', 'note', 'conversation', 'change', 'money']),
    );
    for (const text of [SECRET, NAME, 'ada@example.com']) expect(JSON.stringify(all)).not.toContain(text);
  });

  it.each([1, 3, 200])('has pages of %i without a gap or a repetition', async (limit) => {
    const walked: Entry[] = [];
    let page = await timeline(practice, { client_id: client.id, limit });
    while (page.length > 0) {
      walked.push(...page);
      page = await timeline(practice, { client_id: client.id, limit, before: page.at(-1)?.at });
    }
    expect(walked).toEqual(all);
  });

  it('keeps the entries of one instant on one page', async () => {
    const person = await make(practice, 'clients', { name: 'Cy' });
    const body = [1, 2, 3, 4].map((index) => ({ client_id: person.id, content: `Message ${index}` }));
    expect((await write(practice, 'conversation_log', { method: 'POST', body })).status).toBe(201);
    const page = await timeline(practice, { client_id: person.id, limit: 2 });
    expect(page).toHaveLength(4);
    const next = await timeline(practice, { client_id: person.id, limit: 2, before: page.at(-1)?.at });
    expect(titlesOf(next)).toEqual(['Client registered']);
  });

  it('records the notes that it lists in the access log', async () => {
    const log = await practice.rest(
      `access_log?method=eq.POST&resource=eq.sessions_history&select=record_ids,count&order=at&limit=1`,
    );
    expect(log.json).toEqual([{ record_ids: [note.id], count: 1 }]);
  });

  it('shows each role the events that it may read', async () => {
    const resourcesFor = async (caller: Practice): Promise<string[]> => {
      const entries = await timeline(caller, { client_id: client.id });
      return [...new Set(entries.map(({ resource }) => resource))].sort();
    };
    const roles = ['therapist', 'front_desk', 'billing', 'read_only'] as const;
    const members = await Promise.all(roles.map(async (role) => (await memberOf(practice, role)).member));
    expect(await Promise.all(members.map(resourcesFor))).toEqual([
      ['appointments', 'clients', 'conversation_log', 'measures', 'sessions'],
      ['appointments', 'clients', 'conversation_log', 'invoices', 'payments'],
      ['appointments', 'clients', 'invoices', 'payments'],
      ['appointments', 'clients', 'conversation_log', 'measures', 'sessions'],
    ]);
    const [, , billing] = members as [Practice, Practice, Practice];
    // The status of clients is hidden from billing.
    expect(
      titlesOf(await timeline(billing, { client_id: client.id })).filter((title) => /^Client/.test(title)),
    ).toEqual(['Client registered']);
  });

  it('shows a private note to its author only', async () => {
    const { member } = await memberOf(practice, 'therapist');
    await make(member, 'private_notes', { client_id: client.id, text: 'mine' });
    const privateTo = async (caller: Practice): Promise<number> =>
      (await timeline(caller, { client_id: client.id })).filter(
        ({ resource }) => resource === 'private_notes',
      ).length;
    expect([await privateTo(practice), await privateTo(member)]).toEqual([1, 1]);
    const { member: colleague } = await memberOf(practice, 'owner');
    expect(await privateTo(colleague)).toBe(0);
  });

  it('shows a token the events that its scopes permit', async () => {
    const made = await send('/auth/v1/tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${practice.token}` },
      body: { name: 'narrow', scopes: ['rpc:timeline', 'payments:read'], expires_in: 3600 },
    });
    const narrow = { ...practice, token: (made.json as { token: string }).token };
    expect(titlesOf(await timeline(narrow, { client_id: client.id }))).toEqual(['Payment recorded: 20.00']);
  });

  it('contains no events of an unknown client, of another practice, or of a deleted record', async () => {
    const stranger = await newPractice();
    expect(await timeline(stranger, { client_id: client.id })).toEqual([]);
    expect(await timeline(practice, { client_id: stranger.therapistId })).toEqual([]);
    const person = await make(practice, 'clients', { name: 'Di' });
    const booked = await make(practice, 'appointments', {
      ...{ ...day, date: '2031-02-03' },
      client_id: person.id,
    });
    await remove(practice, 'appointments', booked.id);
    expect(titlesOf(await timeline(practice, { client_id: person.id }))).toEqual(['Client registered']);
  });

  it.each([
    [{ client_id: 'x' }, '22P02'],
    [{ client_id: null }, '22004'],
    [{ limit: 0 }, '22023'],
    [{ limit: 201 }, '22023'],
    [{ limit: 'x' }, '22P02'],
    [{ before: 'yesterday noon' }, '22007'],
    [{ before: '2026-02-31T00:00:00Z' }, '22008'],
  ])('refuses %j', async (wrong, code) => {
    const { status, error } = await clientOf(practice).rpc('timeline', { client_id: client.id, ...wrong });
    expect([status, error?.code]).toEqual([400, code]);
  });

  it('is filtered and counted like other rows, also with GET', async () => {
    const { data } = await clientOf(practice)
      .rpc('timeline', { client_id: client.id }, { get: true })
      .select('title')
      .eq('kind', 'money')
      .limit(1);
    expect(data).toEqual([{ title: 'Payment recorded: 20.00' }]);
  });
});

describe('the timeline of an erased client', () => {
  it('has events without personal values', async () => {
    const person = await make(practice, 'clients', { name: 'Erasmus Quill', phone: '0176 555' });
    await make(practice, 'conversation_log', { client_id: person.id, content: 'Erasmus wrote' });
    const erasure = (await call(practice, 'erase_client', { client_id: person.id })) as Made;
    await eventually('the client is erased', async () => {
      const [row] = (await practice.rest(`erasures?id=eq.${erasure.id}`)).json as { status: string }[];
      return row?.status === 'done';
    });
    const entries = await timeline(practice, { client_id: person.id });
    expect(entries.length).toBeGreaterThan(1);
    expect(JSON.stringify(entries)).not.toMatch(/Erasmus|Quill|0176/);
  });
});
