import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { waitForLeaderLock } from '@practice/log';
import { connect, type Connection } from '@practice/bus';
import { adminDatabase, eventually, newPractice, stack, withClient, type Practice } from '@practice/testing';
import { rebuildMirror } from './rebuild-mirror.js';

const mirrored = { appointments: ['client_id', 'status'], sessions: ['client_id'] };
const service = 'clients';

const owner = adminDatabase(stack().databaseUrl('clients_owner'));
let bus: Connection;
let practice: Practice;
let clientId: string;

beforeAll(async () => {
  const logger = { info() {}, warn() {}, error() {} };
  bus = await connect({ url: stack().natsUrl(service), name: 'mirror spec', logger });
  practice = await newPractice();
  clientId = await made('clients', { name: 'Ada' });
});

afterAll(() => bus.close());

async function made(resource: string, body: object): Promise<string> {
  const headers = { prefer: 'return=representation' };
  const answer = await practice.rest(resource, { method: 'POST', headers, body });
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
  return (answer.json as { id: string }[])[0]?.id as string;
}

let hour = 0;

async function booked(status = 'scheduled'): Promise<string> {
  const start = `2027-03-0${1 + Math.floor(hour / 20)}`;
  const at = String(hour++ % 20).padStart(2, '0');
  const body = { date: start, start_time: `${at}:00`, end_time: `${at}:30`, client_id: clientId, status };
  return made('appointments', body);
}

interface Line {
  readonly id: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>> | null;
}

async function mirror(): Promise<Line[]> {
  const text = 'SELECT id, version, data FROM clients.mirror WHERE therapist_id = $1 ORDER BY id';
  return (await owner.query<Line>(text, [practice.therapistId])).rows;
}

async function mirroredAt(id: string, version: number): Promise<Line[]> {
  const isThere = async () => (await mirror()).some((row) => row.id === id && row.version === version);
  await eventually(`the mirror has version ${version} of an appointment`, isThere);
  return mirror();
}

async function damage(sql: string, ...values: unknown[]): Promise<void> {
  await owner.query(`${sql} AND therapist_id = $1`, [practice.therapistId, ...values]);
}

/** Rebuilds or checks the mirror. @returns the findings about this spec's own practice */
async function run(check: boolean, more: Readonly<Record<string, string[]>> = {}): Promise<string[]> {
  const url = stack().databaseUrl('clients_owner');
  const input = { service, url, connection: bus, mirrored: { ...mirrored, ...more }, check };
  const { findings } = await rebuildMirror(input);
  return findings
    .filter(({ therapistId }) => therapistId === practice.therapistId)
    .map(({ id, kind, columns }) => `${id} ${[kind, ...columns].join(' ')}`)
    .sort();
}

const visits = async (): Promise<unknown> =>
  ((await practice.rest(`clients?id=eq.${clientId}&select=total_visits`)).json as object[])[0];

describe('the mirror of a service', () => {
  it('is corrected from the stream after every kind of damage, while the service runs', async () => {
    const [lost, changed, deleted, old] = [
      await booked('completed'),
      await booked(),
      await booked(),
      await booked(),
    ];
    await practice.rest(`appointments?id=eq.${deleted}`, { method: 'DELETE' });
    await practice.rest(`appointments?id=eq.${old}`, { method: 'PATCH', body: { status: 'confirmed' } });
    await mirroredAt(deleted, 2);
    await mirroredAt(changed, 1);
    const before = await mirroredAt(old, 2);
    expect(await run(true)).toEqual([]);

    const stranger = randomUUID();
    await damage('DELETE FROM clients.mirror WHERE id = $2', lost);
    await damage(`UPDATE clients.mirror SET data = data || '{"status":"no_show"}' WHERE id = $2`, changed);
    await damage('DELETE FROM clients.mirror WHERE id = $2', deleted);
    await damage(`UPDATE clients.mirror SET version = 1, data = data - 'client_id' WHERE id = $2`, old);
    await owner.query(
      `INSERT INTO clients.mirror VALUES ($1, 'sessions', $2, 1, '{"id":"${stranger}","client_id":"${clientId}"}')`,
      [practice.therapistId, stranger],
    );
    const damaged = await mirror();
    const expected = [
      `${lost} missing`,
      `${changed} differs status`,
      `${deleted} missing`,
      `${old} differs client_id version`,
      `${stranger} not in the stream`,
    ].sort();
    expect(await run(true)).toEqual(expected);
    expect(await mirror()).toEqual(damaged);

    expect(await run(false)).toEqual(expected);
    expect(await run(true)).toEqual([]);
    const after = await mirror();
    expect(after.filter(({ id }) => id !== stranger)).toEqual(before);
    expect(after.find(({ id }) => id === stranger)?.data).toBeNull();
    expect(await visits()).toEqual({ total_visits: 1 });
  });

  it('restores a missing row from the log of its owner at the next event, and applies each event exactly once', async () => {
    const id = await booked();
    await mirroredAt(id, 1);
    const counted = (await visits()) as { total_visits: number };
    await damage('DELETE FROM clients.mirror WHERE id = $2', id);
    await practice.rest(`appointments?id=eq.${id}`, { method: 'PATCH', body: { status: 'completed' } });
    const other = await booked();
    const held = async () => (await mirror()).some((row) => row.id === other);
    await eventually('the events behind the damaged row are handled', held);
    expect((await mirror()).find((row) => row.id === id)).toMatchObject({
      version: 2,
      data: { status: 'completed' },
    });
    expect(await visits()).toEqual({ total_visits: counted.total_visits + 1 });
    expect(await run(true)).toEqual([]);
  });

  it('keeps rows that came directly from their owner, before their events', async () => {
    await withClient(stack().databaseUrl('scheduling_relay'), async (relay) => {
      await waitForLeaderLock(relay, 'scheduling');
      const id = await booked();
      const data = { id, client_id: clientId, status: 'scheduled' };
      await owner.query(`INSERT INTO clients.mirror VALUES ($1, 'appointments', $2, 1, $3)`, [
        ...[practice.therapistId, id, JSON.stringify(data)],
      ]);
      expect(await run(false)).toEqual([]);
      expect((await mirror()).find((row) => row.id === id)).toEqual({ id, version: 1, data });
    });
  });

  it('is corrected if two records of one owner with one id are damaged', async () => {
    const series = { appointment_series: ['client_id'] };
    const id = await booked();
    await mirroredAt(id, 1);
    await damage(`UPDATE clients.mirror SET data = data || '{"status":"no_show"}' WHERE id = $2`, id);
    await owner.query(`INSERT INTO clients.mirror VALUES ($1, 'appointment_series', $2, 1, $3)`, [
      ...[practice.therapistId, id, JSON.stringify({ id, client_id: clientId })],
    ]);
    const expected = [`${id} differs status`, `${id} not in the stream`];
    expect(await run(true, series)).toEqual(expected);
    expect(await run(false, series)).toEqual(expected);
    expect(await run(true, series)).toEqual([]);
  });

  it('is corrected if a row has a version that no event has', async () => {
    const id = await booked();
    await mirroredAt(id, 1);
    await damage('UPDATE clients.mirror SET version = 99 WHERE id = $2', id);
    expect(await run(true)).toEqual([`${id} not in the stream`]);
    await run(false);
    expect((await mirror()).find((row) => row.id === id)).toMatchObject({ version: 1, data: { id } });
  });
});
