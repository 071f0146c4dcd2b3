// Calls of functions, with and without supabase-js: forms, results as tables, errors, writes.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { auth, newPractice, readStatus, signIn, type Practice, type Session } from '@practice/testing';
import type { SupabaseClient } from '@supabase/supabase-js';
import { clientOf } from './practice.js';

interface OpenSession {
  readonly id: string;
  readonly method: string;
  readonly created_at: string;
  readonly is_current: boolean;
}

let practice: Practice;
let supabase: SupabaseClient;
beforeAll(async () => {
  practice = await newPractice();
  for (let more = 0; more < 3; more += 1) await signIn(practice);
  supabase = clientOf(practice);
});

const sessionsOf = async ({ rest }: Practice): Promise<OpenSession[]> =>
  (await rest('rpc/open_sessions')).json as OpenSession[];

describe('a function that returns one object', () => {
  it('is called with POST, GET and HEAD', async () => {
    const expected = { therapist_id: practice.therapistId, user_id: practice.therapistId, role: 'owner' };
    expect(await supabase.rpc('current_identity')).toMatchObject({ status: 200, data: expected });
    expect(await supabase.rpc('current_identity', {}, { get: true })).toMatchObject({ data: expected });
    expect(await supabase.rpc('current_identity', {}, { head: true })).toMatchObject({
      status: 200,
      data: null,
    });
  });

  it('returns the selected columns in every format', async () => {
    const { rest } = practice;
    const one = await rest('rpc/current_identity?select=who:user_id,role');
    expect(one.text).toBe(`{"who":"${practice.therapistId}","role":"owner"}`);
    expect(one.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(one.headers.get('content-range')).toBe('0-0/*');
    const csv = await rest('rpc/current_identity?select=role,token_id', { headers: { accept: 'text/csv' } });
    expect(csv.text).toBe('role,token_id\nowner,');
    const stripped = 'application/vnd.pgrst.object+json;nulls=stripped';
    const object = await rest('rpc/current_identity?select=role,token_id', { headers: { accept: stripped } });
    expect(object.text).toBe('{"role":"owner"}');
    expect((await rest('rpc/current_identity?role=eq.billing')).text).toBe('null');
  });
});

describe('a function that returns rows', () => {
  it('takes filters, order, pages and counts as a table does', async () => {
    const all = await sessionsOf(practice);
    expect(all.map(({ method }) => method)).toEqual(['password', 'password', 'password', 'password']);
    const oldest = await supabase
      .rpc('open_sessions', {}, { count: 'exact' })
      .select('id,is_current')
      .order('created_at')
      .limit(1);
    expect(oldest).toMatchObject({ status: 206, count: 4, data: [{ id: all[3]?.id, is_current: true }] });
    const others = await supabase.rpc('open_sessions', {}, { get: true }).is('is_current', false);
    expect(others.data).toEqual(all.slice(0, 3));
    expect(await supabase.rpc('open_sessions').eq('is_current', true).single()).toMatchObject({
      data: all[3],
    });
    expect(await supabase.rpc('open_sessions', {}, { head: true, count: 'exact' })).toMatchObject({
      count: 4,
    });
    expect((await practice.rest('rpc/open_sessions?select=method,count()')).json).toEqual([
      { method: 'password', count: 4 },
    ]);
    const page = await practice.rest('rpc/open_sessions?limit=2&offset=2&select=id');
    expect(page.json).toEqual(all.slice(2).map(({ id }) => ({ id })));
    expect(page.headers.get('content-range')).toBe('2-3/*');
  });

  it('has the errors of a table', async () => {
    expect(await supabase.rpc('open_sessions').single()).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 4 rows' },
    });
    const wrong: [string, number, string][] = [
      ['rpc/open_sessions?select=nothing', 400, '42703'],
      ['rpc/open_sessions?nothing=eq.1', 400, '42703'],
      ['rpc/open_sessions?id=eq.1', 400, '22P02'],
      ['rpc/open_sessions?select=id,clients(*)', 400, 'PGRST200'],
      ['rpc/open_sessions?order=id.upwards', 400, 'PGRST100'],
      ['rpc/open_sessions?limit=-1', 416, 'PGRST103'],
    ];
    for (const [path, status, code] of wrong)
      expect(await practice.rest(path)).toMatchObject({ status, json: { code } });
    const past = await practice.rest('rpc/open_sessions?offset=9', { headers: { prefer: 'count=exact' } });
    expect(past).toMatchObject({ status: 416, json: { code: 'PGRST103' } });
    const affected = { prefer: 'handling=strict,max-affected=3' };
    expect(await practice.rest('rpc/open_sessions', { headers: affected })).toMatchObject({
      status: 400,
      json: { code: 'PGRST124' },
    });
    const more = { prefer: 'handling=strict,min-affected=5' };
    expect(await practice.rest('rpc/open_sessions', { headers: more })).toMatchObject({
      status: 404,
      json: { code: 'PM404', details: 'At least 5 rows must match; 4 did.' },
    });
    expect(await practice.rest('rpc/open_sessions', { headers: { accept: 'image/png' } })).toMatchObject({
      status: 406,
      json: { code: 'PGRST107' },
    });
  });
});

describe('the arguments of a call', () => {
  it('must be the arguments that the function has', async () => {
    const missing = await supabase.rpc('end_session');
    expect(missing).toMatchObject({
      status: 404,
      error: {
        code: 'PGRST202',
        message: 'Could not find the function public.end_session without parameters in the schema cache',
        hint: 'Perhaps you meant to call the function public.end_session(session_id, current_password?, nonce?)',
      },
    });
    const extra = await supabase.rpc('end_session', { session_id: randomUUID(), why: 'lost' });
    expect(extra.error?.message).toBe(
      'Could not find the function public.end_session(session_id, why) in the schema cache',
    );
    expect(await supabase.rpc('end_sesion', { session_id: 1 })).toMatchObject({
      status: 404,
      error: { code: 'PGRST202', hint: 'Perhaps you meant to call the function public.end_session' },
    });
    expect(await practice.rest('rpc/current_identity?a=1')).toMatchObject({ status: 404 });
  });

  it('must have valid values', async () => {
    expect(await supabase.rpc('end_session', { session_id: 'x' })).toMatchObject({
      status: 400,
      error: { code: '22P02', message: expect.stringMatching(/^session_id must be a UUID .*, not "x"$/) },
    });
    expect(await supabase.rpc('end_session', { session_id: null })).toMatchObject({
      status: 400,
      error: { code: '22004' },
    });
  });

  it('are one object', async () => {
    const post = (body: unknown, type = 'application/json') =>
      practice.rest('rpc/end_session', { method: 'POST', body, headers: { 'content-type': type } });
    const id = randomUUID();
    expect(await post([{ session_id: id }, { session_id: id }])).toMatchObject({
      status: 400,
      json: { code: 'PGRST102' },
    });
    expect(await post('{', 'application/json')).toMatchObject({ status: 400, json: { code: 'PGRST102' } });
    expect(await post(id, 'text/plain')).toMatchObject({ status: 404, json: { code: 'PGRST202' } });
    expect(await post(`session_id=${id}`, 'application/x-www-form-urlencoded')).toMatchObject({
      status: 404,
      json: { code: 'PM404' },
    });
  });
});

describe('a function that writes', () => {
  let key: string;
  let writer: Practice;
  let ended: { id: string; token: string };
  beforeAll(async () => {
    key = randomUUID();
    writer = await newPractice();
    const { access_token: token } = (await signIn(writer)).json as Session;
    const [newest] = await sessionsOf(writer);
    ended = { id: newest?.id ?? '', token };
  });

  const end = (headers: Record<string, string> = {}, id = ended.id) =>
    writer.rest('rpc/end_session', { method: 'POST', body: { session_id: id }, headers });

  it('is refused to GET, and to other methods', async () => {
    const read = await writer.rest(`rpc/end_session?session_id=${ended.id}`);
    expect(read).toMatchObject({ status: 405, json: { code: '25006' } });
    expect(read.headers.get('allow')).toBe('OPTIONS,POST');
    expect(await writer.rest('rpc/end_session', { method: 'PATCH', body: {} })).toMatchObject({
      status: 405,
      json: { code: 'PGRST101' },
    });
    expect((await writer.rest('rpc/end_session', { method: 'OPTIONS' })).headers.get('allow')).toBe(
      'OPTIONS,POST',
    );
    expect((await writer.rest('rpc/open_sessions', { method: 'OPTIONS' })).headers.get('allow')).toBe(
      'OPTIONS,GET,HEAD,POST,QUERY',
    );
  });

  it('supports a dry run', async () => {
    const tried = await end({ prefer: 'tx=rollback', 'idempotency-key': key });
    expect([tried.status, tried.text, tried.headers.get('preference-applied')]).toEqual([
      204,
      '',
      'tx=rollback',
    ]);
    expect(await readStatus(ended.token)).toBe(200);
  });

  it('takes effect before its response', async () => {
    expect((await end({ 'idempotency-key': key })).status).toBe(204);
    expect(await readStatus(ended.token)).toBe(401);
    expect((await sessionsOf(writer)).map(({ id }) => id)).not.toContain(ended.id);
  });

  it('is executed once for an Idempotency-Key', async () => {
    const again = await end({ 'idempotency-key': key });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true']);
    expect((await end()).status).toBe(404);
    const other = await end({ 'idempotency-key': key }, randomUUID());
    expect(other).toMatchObject({ status: 409, json: { code: 'PM005' } });
    const refusedKey = randomUUID();
    expect(await end({ 'idempotency-key': refusedKey })).toMatchObject({ json: { code: 'PM404' } });
    const refused = await end({ 'idempotency-key': refusedKey });
    expect([refused.status, refused.headers.get('idempotency-replayed')]).toEqual([404, 'true']);
  });

  it('does not end a session of another practice', async () => {
    const [foreign] = await sessionsOf(practice);
    expect(await end({}, foreign?.id)).toMatchObject({ status: 404, json: { code: 'PM404' } });
    expect((await sessionsOf(practice)).map(({ id }) => id)).toContain(foreign?.id);
  });
});

describe('a personal access token', () => {
  it('calls functions that need no session, and only functions that read if it is read-only', async () => {
    const made = await auth('POST', 'tokens', {
      token: practice.token,
      body: { name: 'rpc', read_only: true },
    });
    const { token } = made.json as { token: string };
    const script = clientOf({ ...practice, token });
    expect(await script.rpc('current_identity')).toMatchObject({
      status: 200,
      data: { role: 'owner', session_id: null, token_name: 'rpc' },
    });
    expect(await script.rpc('open_sessions')).toMatchObject({
      status: 403,
      error: { code: '42501', message: 'permission denied for function open_sessions' },
    });
    expect(await script.rpc('end_session', { session_id: randomUUID() })).toMatchObject({ status: 403 });
  });
});
