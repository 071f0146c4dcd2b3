// Cases in which responses once differed from PostgREST 14.14, tested on the running services.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  answered,
  type Call,
  find,
  make,
  newPractice,
  type Practice,
  slot,
  write,
} from '@practice/testing';
import { clientOf } from '../supabase/practice.js';

let practice: Practice;
let ada: string;

/** A client with three visits, a client without any, and a visit without a client. */
beforeAll(async () => {
  practice = await newPractice();
  ada = (await make(practice, 'clients', { name: 'Ada' })).id;
  await make(practice, 'clients', { name: 'Bob' });
  for (const index of [0, 1, 2]) {
    await make(practice, 'appointments', {
      ...slot(index),
      client_id: ada,
      notes: `visit ${index}`,
      allow_overlap: true,
    });
  }
  await make(practice, 'appointments', { ...slot(3), allow_overlap: true });
});

const codeOf = ({ status, json }: Answer): unknown[] => [status, (json as { code?: string }).code];
const get = (path: string, call?: Call): Promise<Answer> =>
  call?.method === undefined ? answered(path, () => practice.rest(path, call)) : write(practice, path, call);
const back = 'return=representation';
const singular = 'application/vnd.pgrst.object+json';

describe('an upsert by another unique key', () => {
  const hours = { day_of_week: 'tuesday', open_time: '09:00', close_time: '12:00' };
  const upsert = (body: object, resolution: string, prefer = back): Promise<Answer> =>
    get('business_hours?on_conflict=day_of_week,open_time', {
      method: 'POST',
      headers: { prefer: `resolution=${resolution}, ${prefer}` },
      body,
    });

  it.each(['merge-duplicates', 'ignore-duplicates'])(
    '%s: does not create a record with the id of an existing one',
    async (resolution) => {
      const open_time = resolution === 'merge-duplicates' ? '09:00' : '13:00';
      const close_time = resolution === 'merge-duplicates' ? '12:00' : '17:00';
      const { id } = await make(practice, 'business_hours', { ...hours, open_time, close_time });
      const answer = await upsert({ id, ...hours, day_of_week: 'sunday' }, resolution);
      expect(answer).toMatchObject({
        status: 409,
        json: {
          code: '23505',
          message: 'duplicate key value violates unique constraint "business_hours_pkey"',
          details: `Key (id)=(${id}) already exists.`,
        },
      });
      expect(await find(practice, 'business_hours', id)).toMatchObject({ day_of_week: 'tuesday', open_time });
      const history = await get(`business_hours?id=eq.${id}&select=id`);
      expect(history.headers.get('etag')).toBe('"1"');
    },
  );

  it('does not create two records with one id', async () => {
    const id = randomUUID();
    const body = [
      { id, ...hours, day_of_week: 'friday' },
      { id, ...hours, day_of_week: 'saturday' },
    ];
    expect(codeOf(await upsert(body, 'merge-duplicates'))).toEqual([409, '23505']);
    expect(await find(practice, 'business_hours', id)).toBeUndefined();
  });

  it('is 400 for rows with the same key', async () => {
    const body = [
      { ...hours, day_of_week: 'friday' },
      { ...hours, day_of_week: 'friday' },
    ];
    expect(codeOf(await upsert(body, 'merge-duplicates'))).toEqual([400, '21000']);
  });

  it('has a Location with headers-only, even if the record is not new', async () => {
    const body = { ...hours, day_of_week: 'thursday' };
    const prefer = 'return=headers-only';
    const created = await upsert(body, 'merge-duplicates', prefer);
    const changed = await upsert({ ...body, close_time: '13:00' }, 'merge-duplicates', prefer);
    expect([created.status, changed.status]).toEqual([201, 200]);
    expect(created.headers.get('location')).toMatch(/^\/business_hours\?id=eq\./);
    expect(changed.headers.get('location')).toBe(created.headers.get('location'));
  });
});

describe('parameters', () => {
  it('are never mixed up with records fetched from another service', async () => {
    const path = 'appointments?select=count(),...clients!inner(status)&clients.name=eq.nobody';
    expect(await get(path)).toMatchObject({ status: 200, json: [] });
    expect(await get(`${path}&notes=eq.{}`)).toMatchObject({ status: 200, json: [] });
    expect(await get('appointments?select=notes,...clients(count())&notes=eq.{}')).toMatchObject({
      status: 200,
      json: [],
    });
  });
});

describe('Prefer: timezone', () => {
  const created = async (created_at: string, timezone: string): Promise<unknown> => {
    const answer = await get('clients?select=created_at', {
      method: 'POST',
      headers: { prefer: `timezone=${timezone}, ${back}` },
      body: { name: 'Zoe', created_at },
    });
    return (answer.json as { created_at: string }[])[0]?.created_at;
  };

  it.each([
    ['2025-07-01T12:00:00', 'Europe/Berlin', '2025-07-01T12:00:00+02:00'],
    ['2025-01-01 12:00', 'Europe/Berlin', '2025-01-01T12:00:00+01:00'],
    ['2025-07-01T12:00:00Z', 'Europe/Berlin', '2025-07-01T14:00:00+02:00'],
    ['2025-03-30T02:30:00', 'Europe/Berlin', '2025-03-30T03:30:00+02:00'],
    ['2025-10-26T02:30:00', 'Europe/Berlin', '2025-10-26T02:30:00+01:00'],
    ['2025-07-01T12:00:00.25', 'Asia/Kolkata', '2025-07-01T12:00:00.25+05:30'],
  ])('reads %s in %s as %s', async (given, timezone, shown) => {
    expect(await created(given, timezone)).toBe(shown);
  });

  it('applies to changes and upserts too', async () => {
    const { id } = await make(practice, 'clients', { name: 'Zoe', created_at: '2025-07-01T10:00:00Z' });
    const call = (method: string, prefer: string): Promise<Answer> =>
      get(`clients?id=eq.${id}`, {
        method,
        headers: { prefer: `timezone=Europe/Berlin, ${prefer}` },
        body: { id, name: 'Zoe', created_at: '2025-07-01T12:00:00' },
      });
    expect((await call('PATCH', 'return=minimal')).status).toBe(204);
    expect((await call('PUT', 'return=minimal')).status).toBe(204);
    expect((await call('POST', 'resolution=merge-duplicates')).status).toBe(200);
  });

  it.each(['+02:00', 'UTC+2', '5', 'Europe/Nowhere', 'europe/berlin'])(
    'ignores %s, which is not the name of a zone',
    async (zone) => {
      const prefer = `timezone=${encodeURI(zone)}`;
      const lenient = await get('clients?select=created_at', { headers: { prefer } });
      expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([200, null]);
      expect(lenient.text).not.toContain('+02:00');
      const strict = await get('clients', { headers: { prefer: `handling=strict, ${prefer}` } });
      expect(codeOf(strict)).toEqual([400, 'PGRST122']);
    },
  );
});

describe('a write whose response excludes the record by !inner', () => {
  const select = 'select=id,clients!inner(name)';
  const headers = { accept: singular, prefer: back };

  it('is refused if one object is requested, and nothing is written', async () => {
    const notes = randomUUID();
    const body = { ...slot(5), notes, allow_overlap: true };
    const added = await get(`appointments?${select}`, { method: 'POST', headers, body });
    expect(codeOf(added)).toEqual([406, 'PGRST116']);
    expect((await get(`appointments?notes=eq.${notes}`)).json).toEqual([]);

    const { id } = await make(practice, 'appointments', { ...slot(6), allow_overlap: true });
    const path = `appointments?id=eq.${id}&${select}`;
    expect(codeOf(await get(path, { method: 'PATCH', headers, body: { notes } }))).toEqual([406, 'PGRST116']);
    expect(codeOf(await get(path, { method: 'DELETE', headers }))).toEqual([406, 'PGRST116']);
    expect(await find(practice, 'appointments', id)).toMatchObject({ notes: null });
  });

  it('is refused by supabase-js in the same way', async () => {
    const { data, error } = await clientOf(practice)
      .from('appointments')
      .insert({ ...slot(7), notes: 'never', allow_overlap: true })
      .select('id, clients!inner(name)')
      .single();
    expect([data, error?.code]).toEqual([null, 'PGRST116']);
    expect((await get('appointments?notes=eq.never')).json).toEqual([]);
  });

  it('counts the records of the response', async () => {
    const { id } = await make(practice, 'appointments', { ...slot(8), client_id: ada, allow_overlap: true });
    const other = await make(practice, 'appointments', { ...slot(9), allow_overlap: true });
    const path = `appointments?id=in.(${id},${other.id})&${select}`;
    const prefer = `${back}, count=exact`;
    const changed = await get(path, { method: 'PATCH', headers: { prefer }, body: { notes: 'both' } });
    expect([changed.status, changed.headers.get('content-range')]).toEqual([200, '0-0/1']);
    expect((await get('appointments?notes=eq.both')).json).toHaveLength(2);
    const bounded = await get(path, {
      method: 'PATCH',
      headers: { prefer: `${back}, handling=strict, max-affected=0` },
      body: { notes: 'none' },
    });
    expect(codeOf(bounded)).toEqual([400, 'PGRST124']);
    const one = await get(path, { method: 'DELETE', headers });
    expect([one.status, (one.json as { id: string }).id]).toEqual([200, id]);
    expect((await get('appointments?notes=eq.both')).json).toEqual([]);
  });

  it('returns the whole record if the embed selects no column', async () => {
    const notes = randomUUID();
    const body = { ...slot(10), notes, allow_overlap: true };
    const added = await get('appointments?select=*,clients!inner()', {
      method: 'POST',
      headers: { prefer: back },
      body,
    });
    expect([added.status, added.json]).toEqual([201, []]);
  });
});

describe('!inner and null filters', () => {
  const names = async (query: string): Promise<unknown> =>
    ((await get(`clients?name=in.(Ada,Bob)&order=name&${query}`)).json as { name: string }[]).map(
      ({ name }) => name,
    );

  it.each([
    ['select=name,appointments!inner(id)', ['Ada']],
    ['select=name,appointments!inner(id)&appointments.notes=like.visit*&appointments.offset=2', ['Ada']],
    ['select=name,appointments!inner(id)&appointments.notes=like.visit*&appointments.offset=3', []],
    ['select=name,appointments!inner(id)&appointments.limit=0', []],
    [
      'select=name,appointments()&appointments=is.null&appointments.notes=like.visit*&appointments.offset=3',
      ['Ada', 'Bob'],
    ],
    ['select=name,appointments()&appointments=not.is.null&appointments.limit=0', []],
    ['select=name,appointments!inner(count())', ['Ada', 'Bob']],
    ['select=name,appointments!inner(count())&appointments.offset=1', []],
    ['select=name,sessions!inner(count())', ['Ada', 'Bob']],
    ['select=name,sessions!inner(plan)', []],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('exclude the record of a to-one relation by offset and limit', async () => {
    const count = async (query: string): Promise<number> =>
      ((await get(`appointments?notes=like.visit*&${query}`)).json as unknown[]).length;
    expect(await count('select=id,clients!inner(name)')).toBe(3);
    expect(await count('select=id,clients!inner(name)&clients.offset=1')).toBe(0);
    expect(await count('select=id,service_menu!inner(name)&service_menu.limit=0')).toBe(0);
  });
});

describe('groups', () => {
  it('are counted as rows', async () => {
    const answer = await get('clients?select=name,count()&name=in.(Ada,Bob)', {
      headers: { prefer: 'count=exact' },
    });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([200, '0-1/2']);
    const grouped = await get('appointments?select=client_id,count()&notes=like.visit*', {
      headers: { prefer: 'count=exact' },
    });
    expect([grouped.status, grouped.headers.get('content-range')]).toEqual([206, '0-0/3']);
  });

  it('of the primary key may be ordered by any column', async () => {
    const path = 'appointments?select=id,count()&notes=like.visit*&order=notes.desc';
    const rows = (await get(path)).json as { id: string; count: number }[];
    const ordered = (await get('appointments?select=id&notes=like.visit*&order=notes.desc')).json;
    expect(rows.map(({ id }) => ({ id }))).toEqual(ordered);
    const hoisted = 'appointments?select=...clients(count())&clients.order=name&notes=like.visit*';
    expect(await get(hoisted)).toMatchObject({ status: 200, json: [{ count: 3 }] });
    const within = 'appointments?select=...service_menu(count())&service_menu.order=name&notes=like.visit*';
    expect(await get(within)).toMatchObject({ status: 200, json: [{ count: 0 }] });
  });
});

describe('a malformed value', () => {
  const nobody = `id=eq.${randomUUID()}`;

  it.each([
    [`clients?name=match.(&${nobody}`, '2201B'],
    [`clients?or=(name.match."(",name.eq.x)&${nobody}`, '2201B'],
    [`clients?name=imatch(any).{a,"("}&${nobody}`, '2201B'],
    [`clients?name=fts.a b&${nobody}`, '42601'],
    [`clients?select=name,appointments(id)&appointments.notes=match.(&${nobody}`, '2201B'],
    [`clients?select=name,appointments(id)&appointments.date=eq.soon&${nobody}`, '22007'],
    [`appointments?select=id,clients(name)&clients.total_visits=eq.x&${nobody}`, '22P02'],
    [`appointments?select=id,clients()&clients.total_visits=eq.x&${nobody}`, '22P02'],
    [`appointments?select=id,service_menu(name)&service_menu.name=match.(&${nobody}`, '2201B'],
    [`appointments?select=id,service_menu()&service_menu.price=eq.x&${nobody}`, '22P02'],
    [
      `clients?select=name,appointments(id,service_menu(name))&appointments.service_menu.id=eq.x&${nobody}`,
      '22P02',
    ],
  ])('%s is always refused', async (path, code) => {
    expect(codeOf(await get(path))).toEqual([400, code]);
    expect((await get(path, { method: 'HEAD' })).status).toBe(400);
  });

  it('is also refused in the filter of a write', async () => {
    const headers = { prefer: back };
    expect(codeOf(await get('clients?name=match.(&name=eq.nobody', { method: 'DELETE', headers }))).toEqual([
      400,
      '2201B',
    ]);
  });

  it('does not matter in a PATCH that matches nothing', async () => {
    const patch = (body: object): Promise<Answer> => get(`appointments?${nobody}`, { method: 'PATCH', body });
    expect((await patch({ date: 'soon' })).status).toBe(204);
    expect((await patch({ status: 'nonsense' })).status).toBe(204);
    expect(codeOf(await patch({ nonsense: 1 }))).toEqual([400, 'PGRST204']);
  });
});

describe('a select', () => {
  it.each([
    ['name::char', { name: 'A' }],
    ['name::name', { name: 'Ada' }],
    ['name::bytea', { name: '\\x416461' }],
    ['total_visits::money', { total_visits: '$0.00' }],
    ['total_visits::varchar', { total_visits: '0' }],
  ])('casts: %s', async (select, record) => {
    expect((await get(`clients?name=eq.Ada&select=${select}`)).json).toEqual([record]);
  });

  it.each([
    'start_time::time',
    'start_time::text',
    'start_time.min()',
    'start_time.min()::time',
    'start_time::time.min()',
    'start_time::text.min()',
  ])('shows a time of day without seconds: %s', async (select) => {
    const { start_time } = slot(0);
    const [row] = (await get(`appointments?notes=eq.visit 0&select=at:${select}`)).json as { at: string }[];
    expect(row?.at).toBe(start_time);
  });
});

describe('headers and parameters', () => {
  it('a 416 response reports which preferences were applied', async () => {
    const answer = await get('clients?offset=100', { headers: { prefer: 'count=exact, foo=bar' } });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([416, 'count=exact']);
    expect(answer.headers.get('content-range')).toMatch(/^\*\/\d+$/);
  });

  it('the last of several limits and offsets applies', async () => {
    const rows = async (query: string): Promise<number> => ((await get(query)).json as unknown[]).length;
    expect(await rows('appointments?notes=like.visit*&limit=1&limit=2')).toBe(2);
    expect(await rows('appointments?notes=like.visit*&offset=1&offset=2')).toBe(1);
    expect(await rows('appointments?notes=like.visit*&limit=1&limit=all')).toBe(3);
    const embedded = 'select=name,appointments(id)&appointments.limit=1&appointments.limit=2&name=eq.Ada';
    const [client] = (await get(`clients?${embedded}`)).json as { appointments: unknown[] }[];
    expect(client?.appointments).toHaveLength(2);
  });

  it('parameters of writes are ignored in a read', async () => {
    expect((await get('clients?on_conflict=nothing!&columns=name)')).status).toBe(200);
  });

  it.each([
    ['application/json;q=0', 'application/json; charset=utf-8'],
    ['text/csv;q=0, application/json;q=0.1', 'application/json; charset=utf-8'],
    ['*/*, text/csv', 'text/csv; charset=utf-8'],
  ])('Accept: %s', async (accept, type) => {
    expect((await get('clients', { headers: { accept } })).headers.get('content-type')).toBe(type);
  });

  it('max-affected may be negative', async () => {
    const prefer = 'handling=strict, max-affected=-1';
    const answer = await get('clients?name=eq.nobody', { method: 'DELETE', headers: { prefer } });
    expect(codeOf(answer)).toEqual([400, 'PGRST124']);
  });

  it('columns apply to JSON bodies only', async () => {
    const post = (type: string, body: string): Promise<Answer> =>
      get('clients?columns=name&select=name,phone', {
        method: 'POST',
        headers: { 'content-type': type, prefer: back },
        body,
      });
    expect((await post('text/csv', 'name,phone\nZoe,1')).json).toEqual([{ name: 'Zoe', phone: '1' }]);
    const form = await post('application/x-www-form-urlencoded', 'name=Zoe&phone=1');
    expect(form.json).toEqual([{ name: 'Zoe', phone: '1' }]);
    expect((await post('application/json', '{"name":"Zoe","phone":"1"}')).json).toEqual([
      { name: 'Zoe', phone: null },
    ]);
  });

  it('objects with different keys are refused with a hint', async () => {
    const body = [{ name: 'Zoe' }, { name: 'Zoe', phone: '1' }];
    const answer = await get('clients', { method: 'POST', body });
    expect(codeOf(answer)).toEqual([400, 'PGRST102']);
    expect((answer.json as { hint: string }).hint).toMatch(/columns.*missing=default/);
    const { error } = await clientOf(practice).from('clients').insert(body, { defaultToNull: false });
    expect(error).toBeNull();
  });
});
