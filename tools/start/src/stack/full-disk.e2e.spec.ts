// A system whose data folder is on a small disk, which another program then fills. Needs the right to mount one.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { answered, eventually, newPractice, ownStack, type OwnStack, type Practice } from '@practice/testing';
import pg from 'pg';
import { ADMIN, openConnection } from '@practice/operator';
import { mountSmallDisk } from '../faults/small-disk.js';

const MEGABYTE = 1_000_000;
const RESERVE_MB = 48;
const JETSTREAM_IS_ASKED_WITHIN_MS = 8_000;
const folder = mkdtempSync(join(tmpdir(), 'practice-small-disk-'));
const disk = mountSmallDisk(folder, 300 * MEGABYTE);
const onSmallDisk = disk ? it : it.skip;
if (!disk) process.stderr.write('The tests of a full disk are skipped: this user may not mount a tmpfs.\n');

const dataDir = join(folder, 'data');
const oldLog = join(dataDir, 'logs', 'gateway.log.1');
let own: OwnStack;
let practice: Practice;
let clientsOrigin: string;
let admin: pg.Client;

beforeAll(async () => {
  if (!disk) return;
  own = await ownStack({ dataDir, settings: { DISK_RESERVE_MB: RESERVE_MB } });
  const [gateway, clients] = await Promise.all(
    ['gateway', 'clients', 'identity'].map((one) => own.start(one)),
  );
  clientsOrigin = clients?.origin ?? '';
  practice = await newPractice(gateway?.origin);
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  mkdirSync(join(oldLog, '..'), { recursive: true });
  writeFileSync(oldLog, 'an old log\n');
});

afterAll(async () => {
  if (disk) {
    await admin.end();
    await own.stop();
    await disk.unmount();
  }
  rmSync(folder, { recursive: true, force: true });
});

const read = () => practice.rest('clients?select=name');
const write = (key: string = randomUUID()) =>
  practice.rest('clients', { method: 'POST', body: { name: 'Ada' }, headers: { 'Idempotency-Key': key } });
/**
 * After a full disk, nats-server starts again, and services connect again.
 * @returns the keys of writes that got neither this status nor 507: their outcome is unknown until they are repeated
 */
async function writesAreAnswered(status: number): Promise<string[]> {
  const unknown: string[] = [];
  await eventually(`writes are answered ${status}`, async () => {
    const key = randomUUID();
    const answer = await write(key);
    if (answer.status !== status && answer.status !== 507) unknown.push(key);
    return answer.status === status;
  });
  return unknown;
}
const readiness = async () => (await fetch(`${clientsOrigin}/readyz`)).json();
const unpublished = async (): Promise<number> =>
  (await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM clients.outbox')).rows[0]
    ?.count ?? -1;

/** Stores messages beside the events of the services until JetStream cannot: a message that fits only in part stops it. */
async function exhaustJetStream(): Promise<void> {
  const bus = await openConnection(own.natsUrl(ADMIN));
  const options = { timeout: 10_000 };
  // A deleted file leaves room for some messages: the rest of the disk is used up in rounds.
  await eventually('JetStream takes no more messages', async () => {
    const stored = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        jetstream(bus, options).publish('practice.events.spec.practice.thing.Made', Buffer.alloc(300)),
      ),
    );
    return stored.some(({ status }) => status === 'rejected');
  });
  await bus.close();
}

onSmallDisk('a system refuses writes with 507 and answers reads while only the reserve is left', async () => {
  await writesAreAnswered(201);
  await disk?.leave((RESERVE_MB * MEGABYTE) / 2);
  await writesAreAnswered(507);
  const { json: before } = await answered('the first read', read);
  const refused = await answered('the write', write);
  expect(refused.json).toEqual({
    code: 'PM507',
    message: 'the disk of the server is full',
    details: expect.stringContaining('Nothing was written'),
    hint: expect.stringContaining('Idempotency-Key'),
  });
  expect(refused.headers.get('retry-after')).toBe('10');
  expect((await answered('the second read', read)).json).toEqual(before);
  expect(await readiness()).toEqual({
    status: 'degraded',
    troubles: [{ place: 'disk', problem: 'the disk is almost full; writes are refused' }],
  });
  await eventually('the old log has given way', () => !existsSync(oldLog));
});

onSmallDisk('a system answers reads without free space, and recovers with JetStream', async () => {
  await disk?.leave(0);
  await exhaustJetStream();
  const { json } = await read();
  // A JetStream that cannot write may hang when it is asked. Services ask it every few seconds.
  const end = Date.now() + JETSTREAM_IS_ASKED_WITHIN_MS;
  for (; Date.now() < end; await pause(100)) expect(await read()).toMatchObject({ status: 200, json });
  expect((await write()).status).toBe(507);

  await disk?.restore();
  const unknown = await writesAreAnswered(201);
  for (const key of unknown)
    await eventually('a repeated write is answered 201', async () => (await write(key)).status === 201);
  await eventually('the events are in the stream', async () => (await unpublished()) === 0);
  expect((await answered('the read', read)).json).toHaveLength(
    (json as unknown[]).length + 1 + unknown.length,
  );
  await eventually(
    'nothing is wrong any more',
    async () => JSON.stringify(await readiness()) === '{"status":"ok"}',
  );
});

onSmallDisk('a system can be stopped while no space is left', async () => {
  await admin.end();
  await disk?.leave(0);
  await own.stop();
});
