// The erasure of a client through the API: no service keeps personal data of the client, and everything else is unchanged.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { replay, subjectOf, connect } from '@practice/bus';
import { createLogger } from '@practice/process';
import {
  adminDatabase,
  call,
  eventually,
  filesWith,
  find,
  make,
  memberOf,
  newPractice,
  remove,
  rowsOf,
  slot,
  stack,
  tablesWith,
  write,
} from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';
import jwt from 'jsonwebtoken';

const admin = adminDatabase();

interface Planted {
  readonly id: string;
  readonly text: string;
  readonly appointment: string;
}

let slots = 0;

/** A client with a value in each personal column, changed once, in each service. */
async function plant(practice: Practice): Promise<Planted> {
  const text = `planted-${randomUUID()}`;
  const { id } = await make(practice, 'clients', { name: text, email: `${text}@example.com`, phone: text });
  await make(practice, 'conversation_log', { client_id: id, content: text, metadata: { said: text } });
  const body = { ...slot(slots++), client_id: id, notes: text };
  const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
  const booked = await practice.rest('appointments', { method: 'POST', body, headers });
  const [{ id: appointment }] = booked.json as readonly [{ readonly id: string }];
  const note = await make(practice, 'sessions', { client_id: id, subjective: text, plan: text });
  await change(practice, `sessions?id=eq.${note.id}`, { plan: `later ${text}` });
  await change(practice, `clients?id=eq.${id}`, { name: `later ${text}` });
  await eventually('the appointment has the new name', async () => {
    const found = await find(practice, 'appointments', appointment);
    return found?.['client_name'] === `later ${text}`;
  });
  return { id, text, appointment };
}

async function change(practice: Practice, path: string, body: object): Promise<string> {
  const answer = await practice.rest(path, { method: 'PATCH', body });
  expect([path, answer.status, answer.text]).toEqual([path, 204, '']);
  return answer.headers.get('change-id') ?? '';
}

const erase = (practice: Practice, client_id: string, more: object = {}): Promise<Answer> =>
  write(practice, 'rpc/erase_client', { method: 'POST', body: { client_id, ...more } });

interface Erasure {
  readonly id: string;
  readonly status: string;
  readonly services: Record<string, { status: string; events: number; position: number; hash: string }>;
  readonly completed_at: string | null;
  readonly certificate: string | null;
}

async function done(practice: Practice, id: string): Promise<Erasure> {
  let row: Erasure | undefined;
  await eventually('the erasure is done', async () => {
    [row] = await rowsOf<Erasure>(practice, `erasures?id=eq.${id}`);
    return row?.status === 'done';
  });
  return row as Erasure;
}

/** All records that a practice can read, without the rows of the erasure. */
async function everything(practice: Practice): Promise<Record<string, unknown>> {
  const resources = ['clients', 'conversation_log', 'appointments', 'sessions', 'expenses', 'memberships'];
  const all: Record<string, unknown> = {};
  for (const resource of resources)
    for (const name of [resource, `${resource}_history`])
      all[name] = (await practice.rest(`${name}?order=id`)).json;
  return all;
}

describe('erase_client', () => {
  let practice: Practice;
  let other: Practice;
  let ada: Planted;
  let bob: Planted;
  let renamed: string;
  let answer: Answer;
  let erasure: Erasure;
  let bobsBefore: unknown;
  let othersBefore: unknown;

  const ofBob = async (): Promise<unknown> => [
    await find(practice, 'clients', bob.id),
    await find(practice, 'appointments', bob.appointment),
    (await practice.rest(`sessions?client_id=eq.${bob.id}`)).json,
    (await practice.rest(`clients_history?id=eq.${bob.id}&order=version`)).json,
    (await practice.rest(`appointments_history?id=eq.${bob.appointment}&order=version`)).json,
  ];

  beforeAll(async () => {
    [practice, other] = [await newPractice(), await newPractice()];
    ada = await plant(practice);
    bob = await plant(practice);
    await plant(other);
    renamed = await change(practice, `clients?id=eq.${ada.id}`, { phone: `also ${ada.text}` });
    [bobsBefore, othersBefore] = [await ofBob(), await everything(other)];
    answer = await erase(practice, ada.id, { reason: 'asked by letter' });
    erasure = await done(practice, (answer.json as Erasure).id);
  });

  it('returns 202 with the row of the erasure', () => {
    expect([answer.status, answer.headers.get('change-id')?.split(':')[0]]).toEqual([202, 'clients']);
    expect(answer.json).toMatchObject({
      client_id: ada.id,
      requested_by: practice.therapistId,
      reason: 'asked by letter',
      status: 'running',
      services: { clients: { status: 'done' }, scheduling: { status: 'running' } },
      certificate: null,
    });
  });

  it('leaves no personal data of the client in any table of any service', async () => {
    expect(await tablesWith(admin, ada.text)).toEqual({});
    expect(Object.keys(await tablesWith(admin, bob.text)).length).toBeGreaterThan(8);
  });

  it('leaves no personal data of the client in log files', () => {
    expect(filesWith(join(stack().dataDir, 'logs'), ada.text)).toEqual([]);
  });

  it('leaves no personal data of the client in the files of the bus', () => {
    const bus = join(stack().dataDir, 'nats');
    expect(filesWith(bus, bob.text)).not.toEqual([]);
    expect(filesWith(bus, ada.text)).toEqual([]);
  });

  it('leaves all events on the bus for a subscriber that starts later', async () => {
    const connection = await connect({
      url: stack().natsUrl('admin'),
      name: 'spec',
      logger: createLogger('spec', 'silent'),
    });
    const versions: number[] = [];
    const subjects = [
      subjectOf({ service: 'clients', therapistId: practice.therapistId, aggregate: 'client' }),
    ];
    for await (const { event } of replay({ connection, subjects }))
      if (event.streamId === ada.id) versions.push(event.version);
    await connection.close();
    expect(versions).toEqual([1, 2, 3]);
  });

  it('does not change other clients and other practices', async () => {
    expect(await ofBob()).toEqual(bobsBefore);
    expect(await everything(other)).toEqual(othersBefore);
  });

  it('ends with a certificate that the published keys verify', async () => {
    const { certificate, services, completed_at } = erasure;
    const { keys } = (await call('/auth/v1/.well-known/jwks.json')).json as { keys: { kid: string }[] };
    const header = jwt.decode(certificate ?? '', { complete: true })?.header;
    const key = keys.find(({ kid }) => kid === header?.kid);
    const claims = jwt.verify(certificate ?? '', createPublicKey({ key: key as never, format: 'jwk' }), {
      algorithms: ['ES256'],
    });
    expect(header?.typ).toBe('erasure+jwt');
    expect(claims).toMatchObject({ id: erasure.id, client_id: ada.id, reason: 'asked by letter' });
    expect(claims).toMatchObject({ therapist_id: practice.therapistId, completed_at, services });
    expect(Object.entries(services).map(([name, { status, events }]) => [name, status, events])).toEqual(
      expect.arrayContaining([
        ['clients', 'done', 4],
        ['scheduling', 'done', 2],
        ['clinical-notes', 'done', 2],
      ]),
    );
  });

  it('leaves the log intact, and the heads in the certificate can be checked against it', async () => {
    const path = 'rpc/verify_log?select=service,intact&service=in.(clients,scheduling,clinical-notes)';
    expect((await practice.rest(path)).json).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ intact: true })),
    );
    for (const [service, { position, hash }] of Object.entries(erasure.services)) {
      const schema = service.replace('-', '_');
      const { rows } = await admin.query<{ hash: string }>(
        `SELECT encode(hash, 'hex') AS hash FROM ${schema}.events WHERE therapist_id = $1 AND position = $2`,
        [practice.therapistId, position],
      );
      expect([service, rows[0]?.hash ?? '']).toEqual([service, hash]);
    }
  });

  it('is visible in histories', async () => {
    const path = `clients_history?id=eq.${ada.id}&select=event,erased,after&order=version&limit=1`;
    const [first] = (await practice.rest(path)).json as [{ after: object }];
    expect(first).toMatchObject({ erased: true, after: { name: null, email: null, status: 'active' } });
  });

  it('cannot be undone, and neither can an earlier change of the erased client', async () => {
    const undo = (change_id: string) => practice.rest('rpc/undo', { method: 'POST', body: { change_id } });
    expect(await undo(renamed)).toMatchObject({ status: 409, json: { code: 'PM016' } });
    // A member without the right to undo the change learns nothing about it.
    const { member } = await memberOf(practice, 'billing');
    const theirs = await member.rest('rpc/undo', { method: 'POST', body: { change_id: renamed } });
    expect(theirs).toMatchObject({ status: 403, json: { code: '42501' } });
    expect((await undo(answer.headers.get('change-id') ?? '')).status).toBe(403);
  });

  it('makes every service refuse new records and changes of the client', async () => {
    const refused = { status: 409, json: { code: 'PM016' } };
    const about = { client_id: ada.id };
    const post = (resource: string, body: object) => practice.rest(resource, { method: 'POST', body });
    expect(await post('appointments', { ...slot(slots++), ...about })).toMatchObject(refused);
    expect(await post('sessions', { ...about, plan: 'rest' })).toMatchObject(refused);
    expect(await post('conversation_log', { ...about, content: 'hello' })).toMatchObject(refused);
    const named = { method: 'PATCH', body: { name: 'Ada' } };
    expect(await practice.rest(`clients?id=eq.${ada.id}`, named)).toMatchObject(refused);
  });

  it('is the same erasure when it is called again', async () => {
    const again = await erase(practice, ada.id);
    expect(again.status).toBe(202);
    expect(erasure).toMatchObject(again.json as object);
  });

  it('is 404 for an unknown client and for a client of another practice', async () => {
    const unknown = { status: 404, json: { code: 'PM404' } };
    expect(await erase(practice, randomUUID())).toMatchObject(unknown);
    expect(await erase(other, ada.id)).toMatchObject(unknown);
    expect((await other.rest('erasures')).json).toEqual([]);
  });

  it('needs a recent sign-in or the password', async () => {
    const old = await newPractice();
    const { id } = await make(old, 'clients', { name: 'Ada' });
    await admin.query(
      `UPDATE identity.sessions SET created_at = created_at - interval '1 hour' WHERE user_id = $1`,
      [old.therapistId],
    );
    expect(await erase(old, id)).toMatchObject({ status: 403, json: { code: 'reauthentication_needed' } });
    expect((await erase(old, id, { current_password: 'wrong' })).status).toBe(400);
    expect((await old.rest('erasures')).json).toEqual([]);
    expect((await erase(old, id, { current_password: old.password })).status).toBe(202);
  });

  it('can erase a client who was deleted before', async () => {
    const name = `planted-${randomUUID()}`;
    const { id } = await make(practice, 'clients', { name });
    expect((await remove(practice, 'clients', id)).status).toBe(204);
    expect(Object.keys(await tablesWith(admin, name))).toContain('clients.personal_values');
    await done(practice, ((await erase(practice, id)).json as Erasure).id);
    expect(await tablesWith(admin, name)).toEqual({});
  });

  it('does nothing as a dry run', async () => {
    const { id } = await make(practice, 'clients', { name: 'Carl' });
    const headers = { prefer: 'tx=rollback' };
    const body = { client_id: id };
    expect((await practice.rest('rpc/erase_client', { method: 'POST', body, headers })).status).toBe(202);
    expect(await find(practice, 'clients', id)).toMatchObject({ name: 'Carl' });
    expect((await practice.rest(`erasures?client_id=eq.${id}`)).json).toEqual([]);
  });
});

describe('writes that race with an erasure', () => {
  it('either come before it and are erased, or come after it and are refused', async () => {
    const practice = await newPractice();
    for (let round = 0; round < 4; round += 1) {
      const text = `planted-${randomUUID()}`;
      const { id } = await make(practice, 'clients', { name: text });
      const about = { client_id: id };
      const send = (index: number): Promise<Answer> => {
        const writes = [
          () =>
            practice.rest('appointments', {
              method: 'POST',
              body: { ...slot(slots++), ...about, notes: text },
            }),
          () => practice.rest('sessions', { method: 'POST', body: { ...about, plan: text } }),
          () => practice.rest('conversation_log', { method: 'POST', body: { ...about, content: text } }),
          () => practice.rest(`clients?id=eq.${id}`, { method: 'PATCH', body: { name: `${text} ${index}` } }),
        ] as const;
        return (writes[index % 4] as () => Promise<Answer>)();
      };
      const racing = Array.from({ length: 8 }, (_, index) => send(index));
      const [erased, ...answers] = await Promise.all([erase(practice, id), ...racing]);
      const statuses = answers.map(({ status, json }) =>
        status === 409 ? (json as { code: string }).code : status,
      );
      // A write that is late on a busy machine may have come before the erasure, or not.
      const possible = [201, 204, 503, 'PM016'];
      const wrong = statuses.filter(
        (status, index) => !possible.includes(status) && !answers[index]?.text.includes('PM504'),
      );
      expect(wrong).toEqual([]);
      await done(practice, (erased?.json as Erasure).id);
      await eventually(
        'nothing is left',
        async () => Object.keys(await tablesWith(admin, text)).length === 0,
      );
      const late = await Promise.all(Array.from({ length: 4 }, (_, index) => send(index)));
      expect(late.map(({ status, json }) => [status, (json as { code: string }).code])).toEqual(
        Array.from({ length: 4 }, () => [409, 'PM016']),
      );
    }
    // The services continue to handle events of the practice.
    const { id } = await make(practice, 'clients', { name: 'Dora' });
    const visit = await make(practice, 'appointments', { ...slot(slots++), client_id: id });
    await change(practice, `clients?id=eq.${id}`, { name: 'Dora D.' });
    await eventually('a policy has reacted', async () => {
      return (await find(practice, 'appointments', visit.id))?.['client_name'] === 'Dora D.';
    });
  });
});

it('an erasure that cannot continue does not delay other erasures', async () => {
  // This erasure has no record, so each attempt fails. Its id comes first.
  const { therapistId } = await newPractice();
  const stuck = [therapistId, '00000000-0000-4000-8000-000000000000'];
  await admin.query('INSERT INTO clients.open_erasures (therapist_id, id) VALUES ($1, $2)', stuck);
  try {
    const practice = await newPractice();
    const { id } = await make(practice, 'clients', { name: 'Eve' });
    const { json } = await erase(practice, id);
    await done(practice, (json as Erasure).id);
  } finally {
    await admin.query('DELETE FROM clients.open_erasures WHERE therapist_id = $1 AND id = $2', stuck);
  }
});
