// Reads of past states, with supabase-js and with any other client, in every form of the dialect.

import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  eventually,
  make,
  newPractice,
  patch,
  remove,
  slot,
  patient,
} from '@practice/testing';
import type { Made, Practice } from '@practice/testing';
import { clientOf } from '../supabase/practice.js';
import { settled } from '../undo/whole-state.js';

const admin = adminDatabase();
let practice: Practice;
let [ada, bo, service, booked, note]: Made[] = [];
let [empty, past] = ['', ''];

beforeAll(async () => {
  practice = await newPractice();
  empty = await instant();
  ada = await make(practice, 'clients', { name: 'Ada' });
  bo = await make(practice, 'clients', { name: 'Bo' });
  service = await make(practice, 'service_menu', { name: 'Talk', duration: 50, price: 100 });
  const ids = { client_id: ada.id, service_id: service.id };
  booked = await make(practice, 'appointments', { ...slot(1), ...ids });
  await make(practice, 'appointments', { ...slot(2), ...ids, status: 'cancelled' });
  note = await make(practice, 'sessions', { client_id: ada.id, plan: 'rest' });
  past = await instant();
  await patch(practice, 'clients', { id: ada.id, name: 'Ada Lovelace' });
  await patch(practice, 'service_menu', { id: service.id, price: 120 });
  await patch(practice, 'appointments', { id: booked.id, status: 'confirmed' });
  await patch(practice, 'sessions', { id: note.id, plan: 'exercise' });
  await remove(practice, 'clients', bo.id);
  await make(practice, 'appointments', { ...slot(3), client_id: ada.id });
  await eventually(
    'the name of the client follows',
    async () => (await practice.rest('appointments?client_name=eq.Ada')).text === '[]',
  );
  await settled(admin, practice);
});

/** An instant after all earlier writes and before all later writes. */
async function instant(): Promise<string> {
  await settled(admin, practice);
  const { rows } = await admin.query<{ now: Date }>(
    'SELECT clock_timestamp() AS now FROM (SELECT pg_sleep(0.002)) AS waited',
  );
  await admin.query('SELECT pg_sleep(0.002)');
  return (rows[0]?.now as Date).toISOString();
}

const read = (path: string, headers: Record<string, string> = {}, asOf = past) =>
  patient(() => practice.rest(`${path}${path.includes('?') ? '&' : '?'}as_of=${asOf}`, { headers }));

const rows = async (path: string, asOf = past): Promise<unknown> => (await read(path, {}, asOf)).json;

describe('a past state', () => {
  it('is read with supabase-js: it has deleted records, no later records, and the copied values of that time', async () => {
    const { data, error } = await clientOf(practice)
      .from('appointments')
      .select('start_time, status, client_name, clients(name), service_menu(price)')
      .order('start_time')
      .setHeader('Prefer', `as-of="${past}"`);
    expect(error).toBeNull();
    const then = { client_name: 'Ada', clients: { name: 'Ada' }, service_menu: { price: 100 } };
    expect(data).toEqual([
      { start_time: '07:00', status: 'scheduled', ...then },
      { start_time: '08:00', status: 'cancelled', ...then },
    ]);
    expect(await rows('clients?select=name&order=name')).toEqual([{ name: 'Ada' }, { name: 'Bo' }]);
    expect(await rows('appointments', empty)).toEqual([]);
  });

  it('names the instant in its headers', async () => {
    const { headers } = await read('clients', { prefer: 'count=exact' });
    const exact = past.replace(/0*Z$/, '+00:00').replace(/\.\+/, '+');
    expect(headers.get('preference-applied')).toBe(`count=exact, as-of="${exact}"`);
    expect(headers.get('memento-datetime')).toBe(new Date(past).toUTCString());
    expect(headers.get('content-location')).toContain('as_of=');
    expect((await practice.rest('clients')).headers.get('memento-datetime')).toBeNull();
  });

  it('is filtered, also by records of other services, and by trees', async () => {
    const of = 'appointments?order=status&select=status';
    const both = [{ status: 'cancelled' }, { status: 'scheduled' }];
    expect(await rows(`${of},clients!inner()&clients.name=eq.Ada`)).toEqual(both);
    expect(await rows(`${of},clients!inner()&clients.name=eq.Ada Lovelace`)).toEqual([]);
    expect(await rows(`${of}&or=(status.eq.confirmed,and(status.eq.scheduled,client_name.like.A*))`)).toEqual(
      [{ status: 'scheduled' }],
    );
    expect(
      await rows('clients?select=name,appointments(status)&order=name&appointments.order=status'),
    ).toEqual([
      { name: 'Ada', appointments: both },
      { name: 'Bo', appointments: [] },
    ]);
    expect(await rows('sessions?select=plan,clients(name)&order=clients(name)')).toEqual([
      { plan: 'rest', clients: { name: 'Ada' } },
    ]);
  });

  it('is counted, paged, grouped, and read as CSV, as one object or as headers only', async () => {
    const page = await read('appointments?select=status&order=start_time&limit=1', { prefer: 'count=exact' });
    expect([page.status, page.headers.get('content-range'), page.json]).toEqual([
      206,
      '0-0/2',
      [{ status: 'scheduled' }],
    ]);
    expect(await rows('appointments?select=client_name,count(),service_menu(price.max())')).toEqual([
      { client_name: 'Ada', count: 2, service_menu: expect.anything() },
    ]);
    const csv = await read('clients?select=name,status&order=name', { accept: 'text/csv' });
    expect(csv.text).toBe('name,status\nAda,active\nBo,active');
    const one = await read(`clients?id=eq.${bo?.id}`, { accept: 'application/vnd.pgrst.object+json' });
    expect(one.json).toEqual(bo);
    const head = await practice.rest(`appointments?as_of=${past}`, {
      method: 'HEAD',
      headers: { prefer: 'count=exact' },
    });
    expect([head.status, head.headers.get('content-range')]).toEqual([200, '0-1/2']);
  });

  it('includes the histories up to the instant', async () => {
    expect(await rows(`appointments_history?id=eq.${booked?.id}&select=event`)).toEqual([
      { event: 'AppointmentScheduled' },
    ]);
    expect(await rows(`appointments?id=eq.${booked?.id}&select=appointments_history(event)`)).toEqual([
      { appointments_history: [{ event: 'AppointmentScheduled' }] },
    ]);
  });

  it('has the version of the record at the instant as its entity tag', async () => {
    const path = `clients?id=eq.${ada?.id}`;
    const then = await read(path);
    expect([then.json, then.headers.get('etag')]).toEqual([[ada], '"1"']);
    expect((await practice.rest(path)).headers.get('etag')).toBe('"2"');
    expect((await read(path, { 'if-none-match': '"1"' })).status).toBe(304);
    expect((await read(path, { 'if-none-match': '"2"' })).status).toBe(200);
  });

  it('as of an event is the state after the change that made it', async () => {
    const { json } = await practice.rest(`clients_history?id=eq.${ada?.id}&version=eq.2&select=at`);
    const [{ at } = { at: '' }] = json as { at: string }[];
    const changed = `clients?id=eq.${ada?.id}&select=name`;
    expect(await rows(changed, encodeURIComponent(at))).toEqual([{ name: 'Ada Lovelace' }]);
    // The plus sign is not encoded, as in a link that a person pastes.
    expect(await rows(changed, at)).toEqual([{ name: 'Ada Lovelace' }]);
    const before = new Date(Date.parse(at) - 1).toISOString();
    expect(await rows(changed, before)).toEqual([{ name: 'Ada' }]);
  });

  it('of session notes is recorded in the access log', async () => {
    const count = async (): Promise<number> =>
      ((await practice.rest('access_log?resource=eq.sessions')).json as object[]).length;
    const recorded = await count();
    expect(await rows('sessions?select=plan')).toEqual([{ plan: 'rest' }]);
    expect(await rows('clients?select=sessions(plan)&name=eq.Ada')).toEqual([
      { sessions: [{ plan: 'rest' }] },
    ]);
    expect(await count()).toBe(recorded + 2);
    expect(await rows('access_log', empty)).toEqual([]);
  });

  it('of another practice is not visible', async () => {
    const other = await newPractice();
    const answer = await other.rest(`clients?as_of=${past}`);
    expect([answer.status, answer.text]).toEqual([200, '[]']);
  });
});

describe('an instant that cannot be read', () => {
  it.each([
    ['clients?as_of=2999-01-01T00:00:00Z', 'GET', 'PM015'],
    ['clients?as_of=soon', 'GET', '22007'],
    ['clients?as_of=2026-13-01', 'HEAD', '22008'],
    ['clients?as_of=2026-01-01', 'POST', 'PM015'],
    ['clients?id=eq.1&as_of=2026-01-01', 'DELETE', 'PM015'],
    ['rpc/my_practices?as_of=2026-01-01', 'GET', 'PM015'],
  ])('%s (%s) is 400 %s', async (path, method, code) => {
    const answer = await practice.rest(path, { method, ...(method === 'POST' && { body: { name: 'X' } }) });
    expect(answer.status).toBe(400);
    if (method !== 'HEAD') expect(answer.json).toMatchObject({ code, hint: expect.any(String) });
  });

  it('is also 400 as a preference, and nothing is written', async () => {
    const { error } = await clientOf(practice)
      .from('clients')
      .insert({ name: 'Never' })
      .setHeader('Prefer', `as-of="${past}"`);
    expect(error).toMatchObject({ code: 'PM015' });
    const named = await practice.rest('clients?name=eq.Never');
    expect(named.text).toBe('[]');
    const call = await practice.rest('rpc/my_practices', {
      method: 'POST',
      body: {},
      headers: { prefer: `as-of="${past}"` },
    });
    expect([call.status, call.json]).toMatchObject([400, { code: 'PM015' }]);
  });
});
