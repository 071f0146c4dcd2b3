// Calendar links from outside: what a calendar program can read, and what a stranger cannot.

import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  answered,
  call,
  eventually,
  logOf,
  make,
  metric,
  newPractice,
  patch,
  patient,
  write,
} from '@practice/testing';
import type { Answer, Made, Practice } from '@practice/testing';
import ICAL from 'ical.js';

const admin = adminDatabase();

const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface Link {
  readonly id: string;
  readonly path: string;
}

async function linkOf(practice: Practice, given: object = {}): Promise<Link> {
  const create = { method: 'POST', body: given };
  const { status, json } = await patient(() => practice.rest('rpc/create_calendar_link', create));
  expect(status).toBe(200);
  const { id, url } = json as { id: string; url: string };
  expect(url).toMatch(/^https?:\/\/[^/]+\/calendar\/v1\/[\w-]{43}\.ics$/);
  return { id, path: new URL(url).pathname };
}

/** Reads like a calendar program, without key and token. */
const read = (path: string, headers = {}, method = 'GET'): Promise<Answer> =>
  answered(`${method} of a link`, () => call(path, { method, headers: { ...headers, apikey: '' } }));

const eventsOf = ({ text }: Answer): ICAL.Event[] => {
  ICAL.design.strict = true;
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));
};

const planted = {
  name: 'Canary Calendarname',
  phone: '+49 30 1234567',
  email: `canary-${randomUUID()}@example.com`,
  notes: 'canary notes of an appointment',
};

let practice: Practice;
let booked: Made;
let link: Link;
beforeAll(async () => {
  practice = await newPractice();
  const { name, phone, email, notes } = planted;
  const client = await make(practice, 'clients', { name, phone, email });
  const service = await make(practice, 'service_menu', { name: 'Canary service', duration: 50, price: 100 });
  const given = { client_id: client.id, service_id: service.id, notes };
  booked = await make(practice, 'appointments', { date: dayFromToday(3), start_time: '09:00', ...given });
  await make(practice, 'appointments', { date: dayFromToday(-80), start_time: '09:00', ...given });
  for (const days of [-92, 367])
    await make(practice, 'appointments', { date: dayFromToday(days), start_time: '09:00', ...given });
  link = await linkOf(practice);
});

describe('a calendar', () => {
  it('has the appointments from 90 days back to a year ahead, with initials', async () => {
    const answer = await read(link.path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ]);
    const events = eventsOf(answer);
    expect(events.map(({ summary }) => summary)).toEqual(['C. C.', 'C. C.']);
    expect(events.map(({ startDate }) => startDate.toString().slice(0, 10))).toEqual([
      dayFromToday(-80),
      dayFromToday(3),
    ]);
    for (const secret of [...Object.values(planted), 'Canary service'])
      expect(answer.text).not.toContain(secret);
  });

  it('has names and services if it is full, and never notes or contact data', async () => {
    const full = await read((await linkOf(practice, { full: true })).path);
    expect(eventsOf(full)[0]?.summary).toBe('Canary Calendarname (Canary service)');
    for (const secret of [planted.phone, planted.email, planted.notes])
      expect(full.text).not.toContain(secret);
  });

  it('keeps the UID of a changed appointment and increases its SEQUENCE', async () => {
    const seen = async () => eventsOf(await read(link.path)).find(({ uid }) => uid === booked.id);
    expect(await seen()).toMatchObject({ sequence: 1 });
    await patch(practice, 'appointments', { id: booked.id, start_time: '11:00', end_time: '11:50' });
    await patch(practice, 'appointments', { id: booked.id, status: 'cancelled' });
    const changed = await seen();
    expect(changed).toMatchObject({ sequence: 3 });
    expect(changed?.startDate.toString().slice(11, 16)).toBe('11:00');
    expect(changed?.component.getFirstPropertyValue('status')).toBe('CANCELLED');
  });

  it('is in the time zone of the practice', async () => {
    const patched = await write(practice, `practice_settings?id=eq.${practice.therapistId}`, {
      method: 'PATCH',
      body: { time_zone: 'Europe/Berlin' },
    });
    expect(patched.status).toBe(204);
    const { text } = await read(link.path);
    expect(text).toContain('BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n');
    expect(text).toMatch(/DTSTART;TZID=Europe\/Berlin:\d{8}T090000\r\n/);
  });

  it('is 304 for a client that has the current version', async () => {
    const first = await read(link.path);
    const tag = first.headers.get('etag') ?? '';
    const same = await read(link.path, { 'if-none-match': `"x", W/${tag}` });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', tag]);
    const head = await read(link.path, {}, 'HEAD');
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag]);
    await make(practice, 'appointments', { date: dayFromToday(5), start_time: '09:00', end_time: '10:00' });
    const changed = await read(link.path, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
    expect(eventsOf(changed).at(-1)?.summary).toBe('Blocked');
  });

  it('has more appointments than one read returns, each once, and at most the earliest ten thousand', async () => {
    const large = await newPractice();
    const day = (days: number): object => ({
      ...{ date: dayFromToday(days), allow_overlap: true },
      ...{ start_time: '09:00', end_time: '10:00' },
    });
    const { id } = await make(large, 'appointments', day(2));
    const [first, last] = [
      await make(large, 'appointments', day(1)),
      await make(large, 'appointments', day(3)),
    ];
    const copies = `INSERT INTO scheduling.appointments
      SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).*
      FROM scheduling.appointments AS a, generate_series(1, $2) WHERE a.therapist_id = $1 AND a.id = $3`;
    const uidsWith = async (copied: number): Promise<string[]> => {
      await admin.query(copies, [large.therapistId, copied, id]);
      const { text } = await read((await linkOf(large, { full: copied > 0 })).path);
      return [...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid = '']) => uid);
    };
    expect(await uidsWith(0)).toEqual([first.id, id, last.id]);
    const uids = await uidsWith(10_500);
    expect([uids.length, new Set(uids).size, uids[0]]).toEqual([10_000, 10_000, first.id]);
    expect(uids).not.toContain(last.id);
  });
});

/** How often a calendar was made for reads with these ids. */
const builds = (ids: readonly string[]): number =>
  logOf('live')
    .split('\n')
    .filter((line) => line.includes('a calendar was made') && ids.some((id) => line.includes(id))).length;

describe('the text of a calendar', () => {
  const readWith = (path: string, id: string, headers = {}): Promise<Answer> =>
    read(path, { ...headers, 'x-request-id': id });

  it('is made once for concurrent reads, and again only after a change', async () => {
    const own = await newPractice();
    const { path } = await linkOf(own);
    const made = (): Promise<number> => metric('live', 'practice_calendar_build_duration_seconds_count');
    const before = await made();
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const texts = await Promise.all(ids.map(async (id) => (await readWith(path, id)).text));
    expect(new Set(texts).size).toBe(1);
    await eventually('the text was made', () => builds(ids) === 1);
    const later = [randomUUID(), randomUUID(), randomUUID()] as const;
    expect((await readWith(path, later[0])).text).toBe(texts[0]);
    await make(own, 'appointments', { date: dayFromToday(1), start_time: '09:00', end_time: '10:00' });
    expect((await readWith(path, later[1])).text).not.toBe(texts[0]);
    await eventually('it was made again', () => builds([later[1]]) === 1);
    await readWith(path, later[2]);
    expect([builds(ids), builds(later)]).toEqual([1, 1]);
    expect((await made()) - before).toBeGreaterThanOrEqual(2);
  });

  it('is not made for a client that has the current version, and is shared by links with the same content', async () => {
    const own = await newPractice();
    const [one, other] = [await linkOf(own), await linkOf(own)];
    const ids = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string];
    const head = await read(one.path, { 'x-request-id': ids[0] }, 'HEAD');
    const tag = head.headers.get('etag') ?? '';
    expect((await readWith(one.path, ids[1], { 'if-none-match': tag })).status).toBe(304);
    expect((await readWith(one.path, ids[2])).headers.get('etag')).toBe(tag);
    await eventually('the text was made', () => builds(ids) === 1);
    expect((await readWith(other.path, ids[3])).headers.get('etag')).toBe(tag);
    expect([builds(ids.slice(0, 2)), builds(ids)]).toEqual([0, 1]);
  });

  it('is not served to a revoked link from the cache', async () => {
    const own = await newPractice();
    const revoked = await linkOf(own);
    expect((await read(revoked.path)).status).toBe(200);
    await write(own, 'rpc/revoke_calendar_link', { method: 'POST', body: { id: revoked.id } });
    expect((await read(revoked.path)).status).toBe(404);
  });

  it('does not contain the name of an erased client', async () => {
    const own = await newPractice();
    const { id: client_id } = await make(own, 'clients', { name: 'Canary Erased' });
    const appointment = { date: dayFromToday(1), start_time: '09:00', end_time: '10:00', client_id };
    await make(own, 'appointments', appointment);
    const { path } = await linkOf(own, { full: true });
    const first = await read(path);
    expect(first.text).toContain('SUMMARY:Canary Erased');
    const erase = { method: 'POST', body: { client_id } };
    expect((await write(own, 'rpc/erase_client', erase)).status).toBe(202);
    await eventually('the name is gone', async () => {
      const { text, status } = await read(path, { 'if-none-match': first.headers.get('etag') ?? '' });
      return status === 200 && text.includes('SUMMARY:Appointment');
    });
  });
});

describe('a link to nothing', () => {
  it('is 404 with the same body, whether it was revoked, is unknown or is malformed', async () => {
    const revoked = await linkOf(practice);
    await write(practice, 'rpc/revoke_calendar_link', { method: 'POST', body: { id: revoked.id } });
    const secret = link.path.slice('/calendar/v1/'.length, -'.ics'.length);
    const paths = [
      revoked.path,
      `/calendar/v1/${randomBytes(32).toString('base64url')}.ics`,
      `/calendar/v1/${secret}`,
      `/calendar/v1/${secret}.ICS`,
      `/calendar/v1/${secret.slice(0, -1)}.ics`,
      `/calendar/v1/${secret.toLowerCase()}.ics`,
      `/calendar/v1/${link.id}.ics`,
      '/calendar/v1/.ics',
      '/calendar/v1/%00.ics',
      `/calendar/v1/${'x'.repeat(8000)}.ics`,
    ];
    const answers = await Promise.all(paths.map((path) => read(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json).toMatchObject({ code: 'PM404' });
  });

  it('is refused for methods that do not read, like a link to an archive', async () => {
    for (const path of [link.path, `/exports/v1/${randomUUID()}?token=x`])
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const { status, headers } = await read(path, {}, method);
        expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, 'OPTIONS,GET,HEAD']);
      }
    expect((await read(link.path, {}, 'OPTIONS')).headers.get('allow')).toBe('OPTIONS,GET,HEAD');
  });

  it('shows nothing of another practice', async () => {
    const other = await newPractice();
    expect(eventsOf(await read((await linkOf(other)).path))).toEqual([]);
    const foreign = await other.rest('rpc/revoke_calendar_link', { method: 'POST', body: { id: link.id } });
    expect(foreign).toMatchObject({ status: 404, json: { code: 'PM404' } });
    expect((await read(link.path)).status).toBe(200);
    const strange = { full: true, practitioner_id: practice.therapistId };
    const refused = await other.rest('rpc/create_calendar_link', { method: 'POST', body: strange });
    expect(refused).toMatchObject({ status: 404, json: { code: 'PM404' } });
  });
});

it('The secret of a link is in no log', async () => {
  const id = randomUUID();
  const secret = link.path.slice('/calendar/v1/'.length, -'.ics'.length);
  for (const path of [link.path, link.path.toUpperCase(), `${link.path}/`, `/%63alendar/v1/${secret}.ics`])
    await read(path, { 'x-request-id': id });
  await eventually('the lines are written', () => logOf('gateway').split(id).length > 4);
  for (const process of ['gateway', 'live', 'identity', 'scheduling'])
    expect(logOf(process)).not.toContain(secret);
});

it('The versions of records are a column that a read can name', async () => {
  const { id } = await make(practice, 'clients', { name: 'Ada' });
  await patch(practice, 'clients', { id, name: 'Grace' });
  const headers = { prefer: 'return=representation' };
  const change = { method: 'PATCH', body: { name: 'Mary' }, headers };
  const written = await practice.rest(`clients?id=eq.${id}&select=id,version`, change);
  expect(written.json).toEqual([{ id, version: 3 }]);
  const found = await practice.rest(
    `clients?id=eq.${id}&version=gt.2&select=version,conversation_log(version)`,
  );
  expect(found.json).toEqual([{ version: 3, conversation_log: [] }]);
  const [whole = {}] = (await practice.rest(`clients?id=eq.${id}`)).json as object[];
  expect(whole).not.toHaveProperty('version');
  const set = await practice.rest(`clients?id=eq.${id}`, { method: 'PATCH', body: { version: 9 } });
  expect(set).toMatchObject({ status: 400, json: { code: 'PGRST204' } });
});
