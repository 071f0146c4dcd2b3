// A service erases the personal values of a client. None of them is left in its schema, and all other data is unchanged.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { resourcesOf } from '@practice/contracts';
import { schemaOf } from '@practice/core';
import { actToWrite, asSystem, lockPractices, run } from '@practice/log';
import {
  adminDatabase,
  eventually,
  find,
  make,
  newPractice,
  slot,
  stack,
  tablesWith,
  withClient,
} from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';
import { rebuild } from '@practice/recovery';
import { erasePersonal } from './erase.js';

const services = ['clients', 'scheduling', 'clinical-notes'];
const admin = adminDatabase();

/** Erases a client in one transaction, as the service does. @returns the number of events */
const erase = (service: string, therapistId: string, client: string): Promise<number> =>
  withClient(stack().databaseUrl(schemaOf(service)), async (connection) => {
    await connection.query('BEGIN');
    await run(connection, actToWrite([asSystem(therapistId)]));
    await run(connection, lockPractices(service, [therapistId], 'wait'));
    const events = await erasePersonal(connection, { service, therapistId, client });
    await connection.query('COMMIT');
    return events;
  });

interface Planted {
  readonly id: string;
  readonly text: string;
}

/** Creates a client, and records of the client in each service, with a value in each personal column. Changes each value once. */
async function plant(practice: Practice, first: number): Promise<Planted> {
  const text = `planted-${randomUUID()}`;
  const key = { headers: { 'idempotency-key': randomUUID(), prefer: 'return=representation' } };
  const { id } = await make(practice, 'clients', {
    ...{ name: text, email: `${text}@example.com`, phone: text },
    ...{ external_id: text, metadata: { said: text } },
  });
  const entry = { client_id: id, content: text, metadata: { said: text } };
  await make(practice, 'conversation_log', entry);
  const imported = { external_id: text, metadata: { said: text } };
  const body = { ...slot(first), ...imported, client_id: id, notes: text };
  const booked = await practice.rest('appointments', { method: 'POST', body, ...key });
  expect([booked.status, booked.text.includes(text)]).toEqual([201, true]);
  const note = await make(practice, 'sessions', { client_id: id, subjective: text, plan: text });
  await change(practice, `sessions?id=eq.${note.id}`, { plan: `later ${text}` });
  await change(practice, `clients?id=eq.${id}`, { name: `later ${text}` });
  const { id: visit } = (booked.json as readonly [{ readonly id: string }])[0];
  await eventually('the appointment has the new name', async () => {
    const found = await find(practice, 'appointments', visit);
    return found?.['client_name'] === `later ${text}`;
  });
  return { id, text };
}

async function change(practice: Practice, path: string, body: object): Promise<Answer> {
  const answer = await practice.rest(path, { method: 'PATCH', body });
  expect([path, answer.status, answer.text]).toEqual([path, 204, '']);
  return answer;
}

describe('the erasure of a client', () => {
  let practice: Practice;
  let ada: Planted;
  let bob: Planted;
  /** The id of an appointment that was written about Ada and then moved to Bob. */
  let moved: string;
  let before: string;
  const bobs = new Map<string, Record<string, number>>();
  const events = new Map<string, number>();

  beforeAll(async () => {
    practice = await newPractice();
    ada = await plant(practice, 0);
    bob = await plant(practice, 1);
    const visit = { ...slot(2), client_id: ada.id, notes: `about Ada ${ada.text}` };
    moved = (await make(practice, 'appointments', visit)).id;
    await change(practice, `appointments?id=eq.${moved}`, { client_id: bob.id });
    before = new Date().toISOString();
    for (const service of services) {
      bobs.set(service, await tablesWith(admin, bob.text, [service]));
      expect(Object.keys(await tablesWith(admin, ada.text, [service])).length).toBeGreaterThan(2);
      events.set(service, await erase(service, practice.therapistId, ada.id));
    }
  });

  it.each(services)('leaves none of the values in the schema of %s', async (service) => {
    expect(await tablesWith(admin, ada.text, [service])).toEqual({});
  });

  it('returns the number of events that had values, and the same number when it is repeated', async () => {
    expect(Object.fromEntries(events)).toEqual({ clients: 3, scheduling: 4, 'clinical-notes': 2 });
    expect(await erase('clients', practice.therapistId, ada.id)).toBe(3);
  });

  it.each(services)('leaves the values of other clients in %s', async (service) => {
    const { [`${schemaOf(service)}.idempotency`]: kept, ...others } = bobs.get(service) ?? {};
    expect(kept).toBe({ clients: 2, scheduling: 1, 'clinical-notes': 1 }[service]);
    expect(await tablesWith(admin, bob.text, [service])).toEqual(others);
  });

  it('leaves null in records, past states and histories, and histories mark it as erased', async () => {
    const read = async (path: string) => (await practice.rest(path)).json;
    expect(await read(`clients?id=eq.${ada.id}&select=name,phone,external_id,metadata,status`)).toEqual([
      { name: null, phone: null, external_id: null, metadata: null, status: 'active' },
    ]);
    expect(await read(`clients?id=eq.${ada.id}&select=name&as_of=${before}`)).toEqual([{ name: null }]);
    expect(await read(`clients_history?id=eq.${ada.id}&select=erased,after->name&order=version`)).toEqual([
      { erased: true, name: null },
      { erased: true, name: null },
    ]);
    expect(await read(`clients_history?id=eq.${bob.id}&select=erased`)).toEqual([
      { erased: false },
      { erased: false },
    ]);
    expect(await read(`conversation_log?client_id=eq.${ada.id}&select=content,metadata,role`)).toEqual([
      { content: null, metadata: null, role: 'therapist' },
    ]);
  });

  it('leaves the stored JSON of records complete', async () => {
    for (const resource of ['clients', 'appointments', 'sessions', 'conversation_log']) {
      const all = (await practice.rest(`${resource}?order=id`)).json as object[];
      const names = Object.keys(all[0] ?? {}).join();
      expect((await practice.rest(`${resource}?order=id&select=${names}`)).json).toEqual(all);
    }
  });

  it('erases values about the client from a record that is now about another client', async () => {
    const { json } = await practice.rest(`appointments?id=eq.${moved}&select=client_id,client_name,notes`);
    expect(json).toEqual([{ client_id: bob.id, client_name: `later ${bob.text}`, notes: null }]);
  });

  it.each(services)('leaves the tables of %s in the same state as a rebuild', async (service) => {
    const url = stack().databaseUrl(`${schemaOf(service)}_owner`);
    const { differences } = await rebuild({ service, url, resources: resourcesOf(service), check: true });
    expect(differences.filter(({ therapistId }) => therapistId === practice.therapistId)).toEqual([]);
  });

  it('leaves the chain of hashes intact', async () => {
    const { json } = await practice.rest('rpc/verify_log?select=service,intact&order=service');
    expect(json).toEqual(expect.arrayContaining(services.map((service) => ({ service, intact: true }))));
  });

  it('refuses new values about the client, even in processes that had opened the key', async () => {
    const refused = { status: 409, json: { code: 'PM016' } };
    const post = (resource: string, body: object) => practice.rest(resource, { method: 'POST', body });
    const patch = (path: string, body: object) => practice.rest(path, { method: 'PATCH', body });
    const about = { client_id: ada.id };
    expect(await patch(`clients?id=eq.${ada.id}`, { name: 'Ada' })).toMatchObject(refused);
    expect(await post('conversation_log', { ...about, content: 'hello' })).toMatchObject(refused);
    expect(await post('appointments', { ...slot(5), ...about })).toMatchObject(refused);
    expect(await patch(`appointments?id=eq.${moved}`, about)).toMatchObject(refused);
    expect(await post('sessions', { ...about, plan: 'rest' })).toMatchObject(refused);
    expect(await post('sessions', about)).toMatchObject(refused);
    const visit = `appointments?client_id=eq.${ada.id}`;
    expect(await patch(visit, { notes: 'new' })).toMatchObject(refused);
  });

  it('lets the practice change the records further, without personal values', async () => {
    await change(practice, `clients?id=eq.${ada.id}`, { status: 'archived' });
    await change(practice, `appointments?client_id=eq.${ada.id}`, { status: 'cancelled' });
    await change(practice, `clients?id=eq.${bob.id}`, { phone: '1' });
    await change(practice, `appointments?id=eq.${moved}`, { client_id: null });
  });

  it('answers with 409 to a repeated request whose response was erased', async () => {
    const { rows } = await admin.query<{ status: number; body: string }>(
      `SELECT status, body FROM scheduling.idempotency WHERE therapist_id = $1`,
      [practice.therapistId],
    );
    expect(rows.map(({ status, body }) => [status, JSON.parse(body).code])).toEqual([
      [409, 'PM005'],
      [409, 'PM005'],
      [409, 'PM005'],
    ]);
  });
});

it('a refusal that was erased with other stored responses does not count as carried out', async () => {
  const practice = await newPractice();
  const send = (name: string | null) =>
    practice.rest('clients', {
      ...{ method: 'POST', body: { name } },
      headers: { 'idempotency-key': `${name}`, prefer: 'return=representation' },
    });
  const sent = async () => [await send('Ada'), await send(null)];
  const first = await sent();
  expect(first).toMatchObject([{ status: 201 }, { status: 400 }]);
  for (const _ of [1, 2]) await erase('clients', practice.therapistId, randomUUID());
  const again = await sent();
  expect(again).toMatchObject([
    { status: 409, json: { message: 'the request was carried out, and its response has been erased' } },
    { status: 409, json: { message: 'the request was refused, and its response has been erased' } },
  ]);
  const changes = [...first, ...again].map(({ headers }) => headers.get('change-id'));
  expect(changes).toEqual([expect.any(String), null, changes[0], null]);
});

describe('the erasure of all clients', () => {
  it('leaves no personal value of the practice, not even one without a client, and no key can be created', async () => {
    const practice = await newPractice();
    const { text } = await plant(practice, 0);
    await make(practice, 'appointments', { ...slot(1), notes: text });
    for (const service of services) await erase(service, practice.therapistId, 'all');
    for (const service of services) expect(await tablesWith(admin, text, [service])).toEqual({});
    const body = { ...slot(2), notes: 'without a client' };
    expect(await practice.rest('appointments', { method: 'POST', body })).toMatchObject({
      status: 409,
      json: { code: 'PM016' },
    });
  });
});

describe('row-level security', () => {
  it('does not let any role of a caller destroy keys or plain values', async () => {
    const practice = await newPractice();
    await make(practice, 'clients', { name: 'Ada' });
    await withClient(stack().databaseUrl('clients'), async (connection) => {
      await connection.query('BEGIN');
      await run(connection, actToWrite([{ therapistId: practice.therapistId, role: 'owner' }]));
      const keys = await connection.query('UPDATE clients.personal_keys SET sealed_key = NULL');
      const values = await connection.query('DELETE FROM clients.personal_values');
      expect([keys.rowCount, values.rowCount]).toEqual([0, 0]);
    });
  });
});
