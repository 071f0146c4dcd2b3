// A backup from before the erasures of a client and of a practice is restored. The system serves only after both are erased again.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { serviceNames } from '@practice/contracts';
import {
  eventually,
  find,
  make,
  newPractice,
  patch,
  practiceOf,
  rowsOf,
  signIn,
  slot,
  startStack,
  tablesWith,
  templateFolder,
} from '@practice/testing';
import type { Answer, Made, Practice, Stack } from '@practice/testing';
import pg from 'pg';

const dataDir = join(tmpdir(), `practice-erased-${randomUUID()}`);
const [database, backup] = [join(dataDir, 'postgres'), `${dataDir}-backup`];
const services = ['gateway', ...serviceNames];
let own: Stack | undefined;
let origin: string;
let admin: pg.Client;

async function start(): Promise<void> {
  const stack = await startStack({ settings: { DATA_DIR: dataDir }, onlyServers: true });
  own = stack;
  admin = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  await admin.connect();
  // Two processes of a service apply its ledger at the same time.
  const started = [...services, 'scheduling'].map((service) => stack.spawnProcess(service));
  origin = (await Promise.all(started))[0]?.origin ?? '';
}

async function stop(): Promise<void> {
  await admin.end();
  await own?.stop();
  own = undefined;
}

interface Planted {
  readonly practice: Practice;
  readonly client: Made;
  readonly text: string;
}

/** Creates a client with personal values in every service, and changes them so that there are replaced versions. */
async function plant(practice: Practice, index: number): Promise<Planted> {
  const text = `planted-${randomUUID()}`;
  const client = await make(practice, 'clients', { name: text, email: `${text}@example.com`, phone: text });
  const of = { client_id: client.id };
  await make(practice, 'conversation_log', { ...of, content: text });
  const visit = await make(practice, 'appointments', { ...slot(index), ...of, notes: text });
  await make(practice, 'sessions', { ...of, plan: text });
  await patch(practice, 'clients', { id: client.id, name: `later ${text}` });
  await eventually('the appointment has the new name', async () => {
    const found = await find(practice, 'appointments', visit.id);
    return found?.['client_name'] === `later ${text}`;
  });
  return { practice, client, text };
}

const isErased = async ({ therapistId }: Practice): Promise<boolean> => {
  const { rows } = await admin.query(
    `SELECT FROM identity.practices WHERE id = $1 AND erased_at IS NOT NULL
     ${['clients', 'scheduling', 'clinical_notes'].map((schema) => `AND EXISTS (SELECT FROM ${schema}.personal_keys WHERE therapist_id = $1 AND client_id = $1 AND sealed_key IS NULL)`).join(' ')}`,
    [therapistId],
  );
  return rows.length === 1;
};

let ada: Planted;
let bob: Planted;
let gone: Planted;
let practice: Practice;
let before: string;
/** A client whose erasure was written to the ledger but not committed. */
let carl: Planted;

beforeAll(async () => {
  execFileSync('cp', ['-a', templateFolder(), dataDir]);
  await start();
  const first = await newPractice(origin);
  ada = await plant(first, 0);
  bob = await plant(first, 1);
  carl = await plant(first, 2);
  gone = await plant(await newPractice(origin), 0);
  before = new Date().toISOString();
  await stop();
  execFileSync('cp', ['-a', database, backup]);

  await start();
  const again = practiceOf(first, await signIn(first, origin), origin);
  const body = { client_id: ada.client.id };
  const asked = await again.rest('rpc/erase_client', { method: 'POST', body });
  expect(asked.status).toBe(202);
  await eventually('the erasure is done', async () => {
    const [row] = await rowsOf(again, 'erasures');
    return row?.['status'] === 'done';
  });
  const dry = { client_id: bob.client.id };
  const headers = { prefer: 'tx=rollback' };
  expect((await again.rest('rpc/erase_client', { method: 'POST', body: dry, headers })).status).toBe(202);
  await admin.query('UPDATE identity.practice_head SET erase_at = now() WHERE therapist_id = $1', [
    gone.practice.therapistId,
  ]);
  await eventually('the practice is erased', () => isErased(gone.practice)).catch(() =>
    eventually('it is erased', () => isErased(gone.practice)),
  );
  await stop();
  const entry = `\n${first.therapistId} ${carl.client.id} ${new Date().toISOString()}\n`;
  appendFileSync(join(dataDir, 'keys', 'clients.erasures'), entry);

  rmSync(database, { recursive: true });
  execFileSync('cp', ['-a', backup, database]);
  await start();
  practice = practiceOf(first, await signIn(first, origin), origin);
});

afterAll(async () => {
  await stop();
  for (const folder of [dataDir, backup]) rmSync(folder, { recursive: true, force: true });
});

it('an erased client is in no table after the restore, and other clients are unchanged', async () => {
  expect(await tablesWith(admin, ada.text)).toEqual({});
  expect(Object.keys(await tablesWith(admin, bob.text)).length).toBeGreaterThan(8);
});

it('an erased practice is in no table after the restore, and its owner cannot sign in', async () => {
  expect(await tablesWith(admin, gone.text)).toEqual({});
  expect(await isErased(gone.practice)).toBe(true);
  expect((await signIn(gone.practice, origin)).status).toBe(400);
});

it('reads, histories and past states have null instead of the values', async () => {
  const resources = ['clients', 'conversation_log', 'appointments', 'sessions'];
  for (const resource of resources)
    for (const path of [resource, `${resource}_history`, `${resource}?as_of=${before}`]) {
      const { status, text } = await practice.rest(path);
      expect([path, status, text.includes(ada.text), text.includes(bob.text)]).toEqual([
        path,
        200,
        false,
        true,
      ]);
    }
});

it('nothing can be recorded about the client in any service', async () => {
  const of = { client_id: ada.client.id };
  const post = (resource: string, body: object): Promise<Answer> =>
    practice.rest(resource, { method: 'POST', body });
  const refused = { status: 409, json: { code: 'PM016' } };
  expect(await post('appointments', { ...slot(9), ...of })).toMatchObject(refused);
  expect(await post('sessions', { ...of, plan: 'rest' })).toMatchObject(refused);
  expect(await post('conversation_log', { ...of, content: 'hello' })).toMatchObject(refused);
  const named = { method: 'PATCH', body: { name: 'Ada' } };
  expect(await practice.rest(`clients?id=eq.${ada.client.id}`, named)).toMatchObject(refused);
});

it('the logs still verify', async () => {
  const path = 'rpc/verify_log?select=service,intact&service=in.(clients,scheduling,clinical-notes)';
  expect((await practice.rest(path)).json).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ intact: true })),
  );
});

it('an entry whose erasure did not commit is applied in its service, and the owner can request the erasure again', async () => {
  const found = Object.keys(await tablesWith(admin, carl.text));
  expect(found.filter((name) => name.startsWith('clients.'))).toEqual([]);
  expect(found.some((name) => name.startsWith('scheduling.'))).toBe(true);
  const body = { client_id: carl.client.id };
  expect((await practice.rest('rpc/erase_client', { method: 'POST', body })).status).toBe(202);
});
