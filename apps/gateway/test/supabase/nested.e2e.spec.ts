// Records within records, as supabase-js sends them: one transaction in one service; across services, all are taken back if one is refused.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { call, memberOf, newPractice, type Answer, type Practice } from '@practice/testing';
import { clientOf } from './practice.js';

let practice: Practice;
let supabase: SupabaseClient;
let day = 0;

beforeAll(async () => {
  practice = await newPractice();
  supabase = clientOf(practice);
});

const visit = (more: object = {}) => {
  day += 1;
  const date = new Date(Date.UTC(2032, 0, day)).toISOString().slice(0, 10);
  return { date, start_time: '09:00', end_time: '10:00', ...more };
};

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  practice.rest(path, { method: 'POST', body, headers });

const countOf = async (resource: string): Promise<number> =>
  (await supabase.from(resource).select('*', { count: 'exact', head: true })).count ?? -1;

const counts = () => Promise.all(['clients', 'appointments', 'conversation_log', 'sessions'].map(countOf));

describe('a nested insert', () => {
  it('creates clients with their appointments, and returns them', async () => {
    const [first, second, third] = [visit(), visit({ notes: 'long' }), visit()];
    const { data, error, status } = await supabase
      .from('clients')
      .insert([
        { name: 'Ada', appointments: [first, second] },
        { name: 'Bea', appointments: [] },
        { name: 'Cyd', appointments: [third] },
      ])
      .select('name, appointments(date, notes, client_name)')
      .order('date', { referencedTable: 'appointments' });
    expect([error, status]).toEqual([null, 201]);
    const shown = (of: { date: string }, notes: string | null, client_name: string) => ({
      ...{ date: of.date, notes, client_name },
    });
    expect(data).toEqual([
      { name: 'Ada', appointments: [shown(first, null, 'Ada'), shown(second, 'long', 'Ada')] },
      { name: 'Bea', appointments: [] },
      { name: 'Cyd', appointments: [shown(third, null, 'Cyd')] },
    ]);
  });

  it('accepts one object, and returns one object', async () => {
    const { data, error } = await supabase
      .from('clients')
      .insert({ name: 'One', appointments: [visit()] })
      .select('*, appointments(*)')
      .single();
    expect([error, data]).toMatchObject([null, { name: 'One', appointments: [{ client_id: data?.id }] }]);
  });

  it('answers without records, with Location, count and the changes of each service', async () => {
    const body = { name: 'Quiet', appointments: [visit()] };
    const answer = await post('clients', body, { prefer: 'count=exact' });
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect(answer.headers.get('content-range')).toBe('*/1');
    expect(answer.headers.get('change-id')).toMatch(/^clients:\d+, scheduling:\d+$/);
    const found = await practice.rest(String(answer.headers.get('location')).slice(1));
    expect(found.json).toMatchObject([{ name: 'Quiet' }]);
  });

  it('reads columns with names in parentheses, and uses only these', async () => {
    const rows = [{ name: 'Columns', phone: '1', appointments: [{ ...visit(), notes: 'left out' }] }];
    const columns = 'name,appointments(date,start_time,end_time)';
    const query = `clients?columns=${columns}&select=phone,appointments(notes)`;
    const answer = await post(query, rows, { prefer: 'return=representation' });
    expect([answer.status, answer.json]).toEqual([201, [{ phone: null, appointments: [{ notes: null }] }]]);
  });

  it('is one change in one service, and three levels deep across three', async () => {
    const entries = [{ content: 'called' }, { content: 'wrote', channel: 'email' }];
    const one = await post(
      'clients',
      { name: 'Within', conversation_log: entries },
      { prefer: 'missing=default' },
    );
    expect([one.status, one.text]).toEqual([201, '']);
    const change = one.headers.get('change-id') ?? '';
    expect(change).toMatch(/^clients:\d+$/);
    expect((await post('rpc/undo', { change_id: change })).status).toBe(200);
    const deep = {
      name: 'Deep',
      appointments: [visit({ sessions: [{ plan: 'rest' }] })],
      conversation_log: [{ content: 'hello' }],
    };
    const { data, error } = await supabase
      .from('clients')
      .insert([deep], { defaultToNull: false })
      .select('id, conversation_log(content, channel), appointments(sessions(plan, client_id))')
      .single();
    expect([error, data]).toEqual([
      null,
      {
        id: data?.id,
        conversation_log: [{ content: 'hello', channel: 'note' }],
        appointments: [{ sessions: [{ plan: 'rest', client_id: data?.id }] }],
      },
    ]);
  });

  it('has no version that If-Match could name', async () => {
    const body = { name: 'Ada', appointments: [visit()] };
    const refused = await post('clients', body, { 'if-match': '"1"' });
    expect(refused).toMatchObject({ status: 400, json: { code: 'PM006' } });
  });

  it('keeps ids that the caller gives', async () => {
    const ids = [randomUUID(), randomUUID()].toSorted().toReversed();
    const rows = ids.map((id, index) => ({ id, name: `Given ${index}`, appointments: [visit()] }));
    expect((await supabase.from('clients').insert(rows)).error).toBeNull();
    const { data } = await supabase
      .from('appointments')
      .select('client_id, client_name')
      .in('client_id', ids);
    expect(data?.toSorted((a, b) => a.client_name.localeCompare(b.client_name))).toEqual(
      ids.map((client_id, index) => ({ client_id, client_name: `Given ${index}` })),
    );
  });
});

describe('a refused nested insert', () => {
  const odd: readonly (readonly [string, string, unknown, object])[] = [
    ['an unknown relation', 'clients?columns=name,visits(date)', [{ name: 'A' }], { code: 'PGRST200' }],
    ['an unknown column', 'clients', { name: 'A', visits: [] }, { code: 'PGRST204' }],
    [
      'an unknown column within',
      'clients',
      { name: 'A', appointments: [{ dat: 1 }] },
      { code: 'PGRST204', message: expect.stringContaining("'dat' column of 'appointments'") },
    ],
    [
      'a record around',
      'appointments',
      { date: '2032-01-01', clients: { name: 'A' } },
      { code: 'PM400', hint: expect.stringContaining('client_id') },
    ],
    [
      'an object for an array',
      'clients',
      { name: 'A', appointments: { date: '2032-01-01' } },
      { code: 'PM400', details: 'In clients[0].appointments.' },
    ],
    [
      'texts in the array',
      'clients',
      [{ name: 'A', appointments: ['x'] }],
      { code: 'PM400', message: '"appointments" takes an array of objects' },
    ],
    ['a cast', 'clients?columns=name,appointments(date::text)', { name: 'A' }, { code: 'PM400' }],
    [
      'another client',
      'clients',
      { name: 'A', appointments: [{ client_id: randomUUID() }] },
      { code: 'PM400', message: expect.stringContaining('client_id') },
    ],
    [
      'a malformed value',
      'clients',
      [
        { name: 'A', appointments: [] },
        { name: 'B', appointments: [visit(), visit({ date: 'soon' })] },
      ],
      {
        code: '22007',
        details: expect.stringMatching(/^In clients\[1\]\.appointments\[1\]: .*date must be a date/),
      },
    ],
    [
      'a missing value',
      'clients',
      { name: 'A', appointments: [{ start_time: '09:00', end_time: '10:00' }] },
      { code: '23502', details: expect.stringContaining('In clients[0].appointments[0]') },
    ],
    [
      'a malformed select',
      'clients?select=nothing',
      { name: 'A', appointments: [visit()] },
      { code: '42703' },
    ],
    [
      'too many rows',
      'clients',
      { name: 'A', appointments: Array.from({ length: 1_000 }, () => ({})) },
      { code: 'PM413' },
    ],
  ];

  it.each(odd)('names %s, and nothing is left', async (_, path, body, problem) => {
    const before = await counts();
    const answer = await post(path, body, { prefer: 'return=representation,missing=default' });
    expect([answer.status >= 400 && answer.status < 500, answer.json]).toMatchObject([true, problem]);
    expect(await counts()).toEqual(before);
  });

  it('is taken back in earlier services, and cannot be an upsert', async () => {
    const before = await counts();
    const taken = visit();
    const body = [
      { name: 'A', appointments: [taken] },
      { name: 'B', appointments: [taken] },
    ];
    const { error, status } = await supabase.from('clients').insert(body);
    expect([status, error]).toMatchObject([
      409,
      { code: 'PM002', details: [expect.objectContaining({ about: 'In clients[1].appointments[0]' })] },
    ]);
    expect(await counts()).toEqual(before);
    expect((await supabase.from('clients').upsert(body)).error).toMatchObject({ code: 'PM400' });
    const level = (row: object) => ({ name: 'A', appointments: [{ sessions: [row] }] });
    const deep = level({ session_addenda: [{ clients: [] }] });
    expect((await supabase.from('clients').insert(deep)).status).toBe(400);
  });
});

describe('a nested insert with a key', () => {
  it('is carried out once', async () => {
    const before = await counts();
    const body = { name: 'Once', appointments: [visit()] };
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
    const path = 'clients?select=id,appointments(id)';
    const [first, second] = [await post(path, body, headers), await post(path, body, headers)];
    expect([first.status, second.status, second.json]).toEqual([201, 201, first.json]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await counts()).toEqual(before.map((count, index) => count + (index < 2 ? 1 : 0)));
  });
});

describe('a dry run', () => {
  it('returns everything and stores nothing', async () => {
    const before = await counts();
    const body = [{ name: 'Dry', appointments: [visit(), visit({ sessions: [{ plan: 'p' }] })] }];
    const prefer = 'tx=rollback,return=representation,missing=default';
    const answer = await post('clients?select=*,appointments(*)', body, { prefer });
    expect([answer.status, answer.json]).toMatchObject([
      201,
      [{ name: 'Dry', appointments: [{ client_name: 'Dry' }, { sessions: [{ plan: 'p' }] }] }],
    ]);
    expect(answer.headers.get('preference-applied')).toContain('tx=rollback');
    expect(await counts()).toEqual(before);
  });
});

describe('the rights', () => {
  it('of a role cover every resource', async () => {
    const { member: desk } = await memberOf(practice, 'front_desk');
    const body = { name: 'Desk', appointments: [visit()] };
    expect((await desk.rest('clients', { method: 'POST', body })).status).toBe(201);
    const noted = { name: 'Desk', sessions: [{ plan: 'p' }] };
    const refused = await desk.rest('clients', { method: 'POST', body: noted });
    expect([refused.status, refused.json]).toMatchObject([403, { code: '42501' }]);
  });

  it('of a token are the scopes of every resource, without rpc:batch', async () => {
    const insert = async (scopes: string[]): Promise<number> => {
      const made = await call('/auth/v1/tokens', {
        method: 'POST',
        body: { name: 'import', scopes },
        headers: { authorization: `Bearer ${practice.token}` },
      });
      const { token } = made.json as { token: string };
      const body = { name: 'By token', appointments: [visit()] };
      return (await post('clients', body, { authorization: `Bearer ${token}` })).status;
    };
    expect(await insert(['clients:write'])).toBe(403);
    expect(await insert(['clients:write', 'appointments:write'])).toBe(201);
  });
});
