// QUERY: reads with the query string in the body.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { queryFetch } from '@practice/client-types';
import { createClient } from '@supabase/supabase-js';
import { randomUUID } from 'node:crypto';
import { call, make, newPractice, slot, stack, type Answer, type Practice } from '@practice/testing';
import { WebSocket } from 'ws';

let practice: Practice;
let ada: string;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const query = (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  practice.rest(path, { method: 'QUERY', body, headers: { ...form, ...headers } });

beforeAll(async () => {
  practice = await newPractice();
  ada = (await make(practice, 'clients', { name: 'Ada' })).id;
  await make(practice, 'clients', { name: 'Bob' });
  await make(practice, 'appointments', { ...slot(0), client_id: ada });
});

describe('QUERY', () => {
  it('returns the response of a GET with the same query string', async () => {
    for (const [path, text] of [
      ['clients', 'name=eq.Ada&select=name'],
      ['clients', ''],
      ['clients', 'order=name.desc&limit=1'],
      ['appointments', 'select=start_time,clients!inner(name)&clients.name=like.A%25'],
      ['rpc/free_slots', 'duration=50&limit=2'],
    ] as const) {
      const [asked, got] = [await query(path, text), await practice.rest(`${path}?${text}`)];
      expect([path, asked.status, asked.text]).toEqual([path, 200, got.text]);
      for (const name of ['content-type', 'content-range', 'content-location', 'etag'])
        expect(asked.headers.get(name)).toBe(got.headers.get(name));
    }
  });

  it('adds the parameters of the body to the URL', async () => {
    expect((await query('clients?select=name', 'name=eq.Bob')).json).toEqual([{ name: 'Bob' }]);
  });

  it('reads a list of up to 5,000 ids', async () => {
    const ids = [...Array.from({ length: 4_999 }, () => randomUUID()), ada];
    expect((await query('clients', `select=name&id=in.(${ids.join()})`)).json).toEqual([{ name: 'Ada' }]);
    const answer = await query('clients', `id=in.(${[...ids, ada].join()})`);
    expect([answer.status, answer.json]).toMatchObject([400, { code: 'PM400' }]);
  });

  it.each([
    ['another type', 'name=eq.Ada', { 'content-type': 'application/json' }],
    ['no type', 'name=eq.Ada', { 'content-type': '' }],
  ])('refuses a body of %s', async (_, body, headers) => {
    expect([(await query('clients', body, headers)).status]).toEqual([400]);
  });

  it('calls no function that writes, and needs the right to read', async () => {
    expect((await query('rpc/undo', 'change_id=clients:1')).status).toBe(405);
    const made = await call('/auth/v1/tokens', {
      method: 'POST',
      headers: { authorization: `Bearer ${practice.token}` },
      body: { name: randomUUID(), scopes: ['clients:read'], expires_in: 3600 },
    });
    const { token } = made.json as { token: string };
    const headers = { ...form, authorization: `Bearer ${token}` };
    const ask = async (path: string): Promise<number> =>
      (await call(path, { method: 'QUERY', headers, body: 'select=id' })).status;
    expect([await ask('/rest/v1/clients'), await ask('/rest/v1/appointments')]).toEqual([200, 403]);
    expect((await call('/rest/v1/clients', { method: 'QUERY', headers: form, body: '' })).status).toBe(401);
  });

  it('counts as a read', async () => {
    const policy = async (method: string, body?: string): Promise<string | null> => {
      const answer = await practice.rest('clients', {
        method,
        ...(body !== undefined && { body, headers: form }),
      });
      return answer.headers.get('ratelimit-policy');
    };
    expect(await policy('QUERY', 'limit=1')).toBe(await policy('GET'));
  });

  it('is permitted to pages of other origins', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'QUERY' };
    const answer = await call('/rest/v1/clients', { method: 'OPTIONS', headers });
    expect(answer.headers.get('access-control-allow-methods')).toContain('QUERY');
  });
});

describe('queryFetch of @practice/client-types', () => {
  it('makes supabase-js send QUERY for a long list, and GET or HEAD for a short one', async () => {
    const methods: (string | undefined)[] = [];
    const watched: typeof fetch = (input, init) => {
      methods.push(init?.method);
      return fetch(input, init);
    };
    const { baseUrl, apikey } = stack();
    const supabase = createClient(baseUrl, apikey, {
      accessToken: () => Promise.resolve(practice.token),
      global: { fetch: queryFetch(watched) },
      realtime: { transport: WebSocket as never },
    });
    for (const count of [1, 4_999]) {
      const ids = [...Array.from({ length: count }, () => randomUUID()), ada];
      const { data, error } = await supabase.from('clients').select('name').in('id', ids);
      expect([error, data]).toEqual([null, [{ name: 'Ada' }]]);
      const counted = await supabase
        .from('clients')
        .select('*', { count: 'exact', head: true })
        .in('id', ids);
      expect([counted.error, counted.count, counted.data]).toEqual([null, 1, null]);
    }
    const refused = await supabase
      .from('clients')
      .select('*', { head: true })
      .in(
        'id',
        Array.from({ length: 500 }, (_, index) => `no-uuid-${index}-`.repeat(2)),
      );
    expect(refused.error).toMatchObject({ code: '22P02' });
    expect(methods).toEqual(['GET', 'HEAD', 'QUERY', 'QUERY', 'QUERY']);
  });
});
