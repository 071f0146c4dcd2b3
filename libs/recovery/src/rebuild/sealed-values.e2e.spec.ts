// Personal values are sealed in the log, but every reader of the log still gets them in plain form.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { SEALED, schemaOf } from '@practice/core';
import {
  clientOfSealed,
  keyEncryptionOf,
  lockPractices,
  openKey,
  openValues,
  run,
  withOpenClient,
} from '@practice/log';
import { erasePersonal } from '@practice/privacy';
import {
  adminDatabase,
  eventually,
  make,
  newPractice,
  npmRun,
  slot,
  stack,
  type Practice,
} from '@practice/testing';
import { restoreValues } from './restore-values.js';

const admin = adminDatabase();
let practice: Practice;
let ada: string;
let booked: string;

const services = ['clients', 'scheduling', 'clinical-notes'];
/** A text that is part of every personal value of the practice. */
const PLANTED = `planted-${randomUUID()}`;

beforeAll(async () => {
  practice = await newPractice();
  const person = { name: `Ada ${PLANTED}`, email: `${PLANTED}@example.com`, phone: PLANTED };
  ada = (await make(practice, 'clients', person)).id;
  const entry = { client_id: ada, content: `she said ${PLANTED}`, metadata: { said: PLANTED } };
  await make(practice, 'conversation_log', entry);
  booked = (await make(practice, 'appointments', { ...slot(0), client_id: ada, notes: PLANTED })).id;
  await make(practice, 'appointments', { ...slot(1), notes: `no client: ${PLANTED}` });
  const note = { client_id: ada, subjective: PLANTED, plan: `rest ${PLANTED}` };
  const { id } = await make(practice, 'sessions', note);
  await changed('sessions', id, { plan: `walk ${PLANTED}` });
  await changed('clients', ada, { name: `Ada Lovelace ${PLANTED}` });
});

async function changed(resource: string, id: string, values: object): Promise<string> {
  const answer = await practice.rest(`${resource}?id=eq.${id}`, { method: 'PATCH', body: values });
  expect(answer.status).toBe(204);
  return answer.headers.get('change-id') ?? '';
}

/** Whether the restoring of values waits for a lock. */
async function waits(): Promise<boolean> {
  const { rowCount } = await admin.query(
    `SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
    ['clinical-notes restore values'],
  );
  return rowCount !== 0;
}

type Values = Readonly<Record<string, unknown>> | null;

interface Stored {
  readonly type: string;
  readonly event_id: string;
  readonly data: Values;
  readonly previous: Values;
  /** The values as readers get them. */
  readonly plain: { readonly data: Values; readonly previous: Values } | null;
}

async function stored(service: string): Promise<Stored[]> {
  const schema = schemaOf(service);
  const { rows } = await admin.query<Stored>(
    `SELECT type, metadata->>'eventId' AS event_id, e.data, e.previous,
       CASE WHEN p.position IS NOT NULL THEN json_build_object('data', p.data, 'previous', p.previous) END AS plain
     FROM ${schema}.events e LEFT JOIN ${schema}.personal_values p USING (therapist_id, position)
     WHERE therapist_id = $1 ORDER BY position`,
    [practice.therapistId],
  );
  return rows;
}

describe('personal values', () => {
  it.each(services)('are in no event of the log of %s', async (service) => {
    const events = await stored(service);
    expect(events.length).toBeGreaterThan(1);
    for (const { data, previous } of events) expect(JSON.stringify([data, previous])).not.toContain(PLANTED);
  });

  it.each(services)('are opened by the key of their client in %s', async (service) => {
    const keyEncryption = keyEncryptionOf(`file:${join(stack().dataDir, 'keys', `${service}.keys`)}`);
    const { rows } = await admin.query<{ clientId: string; sealedKey: string }>(
      `SELECT client_id AS "clientId", sealed_key AS "sealedKey" FROM ${schemaOf(service)}.personal_keys WHERE therapist_id = $1`,
      [practice.therapistId],
    );
    const ownKey = service === 'scheduling' ? [practice.therapistId] : [];
    expect(rows.map(({ clientId }) => clientId).sort()).toEqual([ada, ...ownKey].sort());
    const ids = rows.map((row) => ({ ...row, therapistId: practice.therapistId }));
    const keys = new Map(ids.map((id) => [id.clientId, openKey(service, keyEncryption, id)]));
    let opened = 0;
    for (const event of await stored(service))
      for (const values of ['data', 'previous'] as const) {
        const sealed = event[values]?.[SEALED];
        if (sealed === undefined) continue;
        const key = keys.get(clientOfSealed(String(sealed)));
        expect(key && openValues(key, { eventId: event.event_id, values, sealed: String(sealed) })).toEqual(
          event.plain?.[values],
        );
        opened += 1;
      }
    expect(opened).toBeGreaterThan(1);
  });

  it('are in histories in plain form, and can be searched', async () => {
    const path = `clients_history?id=eq.${ada}&after->>name=like.*Lovelace*&select=event,before,after,erased`;
    expect((await practice.rest(path)).json).toEqual([
      {
        event: 'ClientRenamed',
        before: { name: `Ada ${PLANTED}` },
        after: { name: `Ada Lovelace ${PLANTED}` },
        erased: false,
      },
    ]);
    const { json } = await practice.rest(`sessions_history?select=before,after&order=position.desc&limit=1`);
    expect(json).toEqual([{ before: { plan: `rest ${PLANTED}` }, after: { plan: `walk ${PLANTED}` } }]);
  });

  it('are in histories without the member that has the sealed form', async () => {
    for (const resource of ['clients', 'conversation_log', 'appointments', 'sessions']) {
      const { status, text } = await practice.rest(`${resource}_history`);
      expect([resource, status, text.includes(SEALED)]).toEqual([resource, 200, false]);
    }
  });

  it('are restored by an undo', async () => {
    const change = await changed('appointments', booked, { notes: 'something else' });
    const undone = await practice.rest('rpc/undo', { method: 'POST', body: { change_id: change } });
    expect([undone.status, undone.json]).toEqual([
      200,
      [expect.objectContaining({ before: { notes: 'something else' }, after: { notes: PLANTED } })],
    ]);
  });

  it('are restored from the log when their plain form is missing', async () => {
    const keyEncryption = keyEncryptionOf(`file:${join(stack().dataDir, 'keys', 'clinical-notes.keys')}`);
    const before = await stored('clinical-notes');
    const where = `WHERE therapist_id = '${practice.therapistId}'`;
    const { rowCount } = await admin.query(`DELETE FROM clinical_notes.personal_values ${where}`);
    const url = stack().databaseUrl('clinical_notes_owner');
    const input = { service: 'clinical-notes', url, keyEncryption };
    expect(await restoreValues({ ...input, check: true })).toBe(rowCount);
    expect(await restoreValues({ ...input, check: false })).toBe(rowCount);
    expect(await stored('clinical-notes')).toEqual(before);
  });

  it('are not restored for a client who is erased meanwhile, and are restored for others', async () => {
    const another = await newPractice();
    const { therapistId } = another;
    const [erased, other] = [
      await make(another, 'clients', { name: 'Ada' }),
      await make(another, 'clients', { name: 'Bo' }),
    ];
    for (const { id } of [erased, other]) await make(another, 'sessions', { client_id: id, plan: 'rest' });
    const url = stack().databaseUrl('clinical_notes_owner');
    const keyEncryption = keyEncryptionOf(`file:${join(stack().dataDir, 'keys', 'clinical-notes.keys')}`);
    const plain = async (): Promise<unknown[]> => {
      const text =
        'SELECT data FROM clinical_notes.personal_values WHERE therapist_id = $1 ORDER BY position';
      return (await admin.query<{ data: unknown }>(text, [therapistId])).rows.map(({ data }) => data);
    };
    const [, ofOther] = await plain();
    await admin.query('DELETE FROM clinical_notes.personal_values WHERE therapist_id = $1', [therapistId]);

    const restoring = await withOpenClient({ connectionString: url }, async (erasing) => {
      await erasing.query('BEGIN');
      await run(erasing, lockPractices('clinical-notes', [therapistId], 'wait'));
      // These rows keep an insert of the same rows waiting.
      await erasing.query(
        `INSERT INTO clinical_notes.personal_values (therapist_id, position, aggregate)
         SELECT therapist_id, position, aggregate FROM clinical_notes.events WHERE therapist_id = $1`,
        [therapistId],
      );
      const begun = restoreValues({ service: 'clinical-notes', url, keyEncryption, check: false });
      await eventually('the restoring waits for the erasure', waits);
      await erasePersonal(erasing, { service: 'clinical-notes', therapistId, client: erased.id });
      await erasing.query('COMMIT');
      return { begun };
    });
    await restoring.begun;
    expect(await plain()).toEqual([ofOther]);
  });

  it('are sealed by a key that is stored, even if a dry run of a batch has made another one', async () => {
    const { id: client_id } = await make(practice, 'clients', { name: 'Bo' });
    const note = { path: 'sessions', body: { client_id, plan: 'rest' } };
    const dryRun = { method: 'POST', body: { operations: [note, note] }, headers: { Prefer: 'tx=rollback' } };
    expect(await practice.rest('rpc/batch', dryRun)).toMatchObject({ status: 200 });
    await make(practice, 'sessions', { client_id, plan: 'rest' });
    const { rows } = await admin.query(
      'SELECT client_id FROM clinical_notes.personal_keys WHERE therapist_id = $1 AND client_id = $2',
      [practice.therapistId, client_id],
    );
    expect(rows).toEqual([{ client_id }]);
  });

  it('leave the chain of hashes intact', async () => {
    const { json } = await practice.rest('rpc/verify_log?select=service,intact&order=service');
    expect(json).toEqual(expect.arrayContaining(services.map((service) => ({ service, intact: true }))));
  });

  it('are sealed by the practice’s key when their appointment no longer has a client', async () => {
    const { id } = await make(practice, 'appointments', { ...slot(2), client_id: ada, notes: PLANTED });
    await changed('appointments', id, { client_id: null, notes: `still ${PLANTED}` });
    const event = (await stored('scheduling')).at(-1);
    const clientIn = (values: Values | undefined): string => clientOfSealed(String(values?.[SEALED]));
    expect([clientIn(event?.previous), clientIn(event?.data)]).toEqual([ada, practice.therapistId]);
  });
});

describe('a key-encryption key', () => {
  const rotate = async (service: string): Promise<void> =>
    expect(await npmRun('keys', ['rotate-personal', service])).toMatchObject({ status: 0 });

  it('is replaced while the service runs, and all keys of clients are then sealed with the new one', async () => {
    await rotate('clients');
    const file = `file:${join(stack().dataDir, 'keys', 'clients.keys')}`;
    const { rows } = await admin.query<{ client_id: string; sealed_key: string }>(
      `SELECT client_id, sealed_key FROM clients.personal_keys WHERE therapist_id = $1`,
      [practice.therapistId],
    );
    for (const { client_id: clientId, sealed_key: sealed } of rows)
      expect(keyEncryptionOf(file).isCurrent(sealed, `clients ${practice.therapistId} ${clientId}`)).toBe(
        true,
      );
    const bob = await make(practice, 'clients', { name: 'Bob' });
    await changed('clients', bob.id, { name: 'Robert' });
    await changed('clients', ada, { phone: '1' });
    const { json } = await practice.rest(`clients_history?id=eq.${bob.id}&select=after->>name&order=version`);
    expect(json).toEqual([{ name: 'Bob' }, { name: 'Robert' }]);
  });
});
