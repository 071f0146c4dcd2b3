// The change id of a write for callers that cannot read headers: in the body, or by the fetch of @practice/client-types.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { answerHeaders } from '@practice/client-types';
import { createClient } from '@supabase/supabase-js';
import { make, newPractice, stack, type Answer, type Practice, write } from '@practice/testing';
import { WebSocket } from 'ws';

let practice: Practice;

beforeAll(async () => {
  practice = await newPractice();
});

const changed = (
  path: string,
  body: unknown,
  { method = 'POST', prefer = '', ...headers }: Record<string, string> = {},
) =>
  write(practice, path, {
    method,
    ...(body !== undefined && { body }),
    headers: { prefer: `${prefer},change-id=body`, ...headers },
  });

const isWrapped = (answer: Answer, status: number, data: unknown): void => {
  const id = answer.headers.get('change-id');
  expect([answer.status, answer.json]).toEqual([status, { data, change_id: id }]);
  expect(id).toMatch(/^[a-z-]+:\d+$/);
  expect(answer.headers.get('preference-applied')).toMatch(/(?:^|, )change-id=body$/);
  expect(answer.headers.get('content-type')).toMatch(/json/);
};

describe('Prefer: change-id=body', () => {
  it('names the change of every kind of write, also without a representation', async () => {
    isWrapped(await changed('clients', { name: 'Ann' }), 201, null);
    const made = await changed('clients', { name: 'Ada' }, { prefer: 'return=representation' });
    const { data } = made.json as { data: { id: string }[] };
    isWrapped(made, 201, [expect.objectContaining({ name: 'Ada' })]);
    const one = `clients?id=eq.${data[0]?.id}`;
    isWrapped(await changed(one, { name: 'Bea' }, { method: 'PATCH' }), 200, null);
    const object = {
      method: 'PATCH',
      prefer: 'return=representation',
      accept: 'application/vnd.pgrst.object+json',
    };
    isWrapped(await changed(`${one}&select=name`, { name: 'Cy' }, object), 200, { name: 'Cy' });
    const upsert = { prefer: 'resolution=merge-duplicates' };
    isWrapped(await changed('clients', { id: data[0]?.id, name: 'Di' }, upsert), 200, null);
    isWrapped(await changed(one, undefined, { method: 'DELETE' }), 200, null);
  });

  it('names the change of a function, and of a batch', async () => {
    const change = (await changed('clients', { name: 'Ann' })).headers.get('change-id');
    isWrapped(await changed('rpc/undo', { change_id: change }), 200, expect.any(Array));
    const operations = [{ path: 'clients', body: { name: 'Ada' } }];
    const batch = await changed('rpc/batch', { operations });
    isWrapped(batch, 200, expect.objectContaining({ atomic: 'service' }));
    const inside = await changed('rpc/batch', {
      operations: [{ ...operations[0], prefer: 'change-id=body' }],
    });
    expect([inside.status, inside.json]).toMatchObject([400, { code: 'PM400' }]);
  });

  it('is null if nothing has changed, as in a dry run', async () => {
    const none = await changed('clients?name=eq.Nobody', { name: 'x' }, { method: 'PATCH' });
    const dry = await changed('clients', { name: 'Ada' }, { prefer: 'tx=rollback' });
    expect([none.status, none.json]).toEqual([200, { data: null, change_id: null }]);
    expect([dry.status, dry.json]).toEqual([201, { data: null, change_id: null }]);
    expect(dry.headers.get('preference-applied')).toBe('tx=rollback, change-id=body');
  });

  it('is the same in the repetition of a write', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const [first, again] = [
      await changed('clients', { name: 'Ada' }, key),
      await changed('clients', { name: 'Ada' }, key),
    ];
    expect([again.json, again.headers.get('idempotency-replayed')]).toEqual([first.json, 'true']);
  });

  it('has no effect on refusals, reads and CSV', async () => {
    const refused = await changed('clients', { name: '' });
    expect([refused.status, refused.json]).toMatchObject([400, { code: '23514' }]);
    for (const answer of [
      await changed('clients?limit=1', undefined, { method: 'GET' }),
      await changed('rpc/search', { q: 'Ada' }),
      await changed('clients', { name: 'Ada' }, { prefer: 'return=representation', accept: 'text/csv' }),
    ]) {
      expect(answer.status).toBeLessThan(300);
      expect(answer.headers.get('preference-applied') ?? '').not.toContain('change-id');
      expect(answer.text).not.toContain('change_id');
    }
  });
});

describe('answerHeaders of @practice/client-types', () => {
  it('adds the change and the request id to results of supabase-js', async () => {
    const { baseUrl, apikey } = stack();
    const headers = answerHeaders();
    const supabase = createClient(baseUrl, apikey, {
      accessToken: () => Promise.resolve(practice.token),
      global: { fetch: headers.fetch },
      realtime: { transport: WebSocket as never },
    });
    const { id } = await make(practice, 'clients', { name: 'Ada' });
    const [changed, same, refused] = await Promise.all([
      headers.of(supabase.from('clients').update({ name: 'Bea' }).eq('id', id).select('name').single()),
      headers.of(supabase.from('clients').update({ name: 'x' }).eq('name', 'Nobody')),
      headers.of(supabase.from('clients').insert({ name: '' })),
    ]);
    expect(changed).toMatchObject({ error: null, data: { name: 'Bea' } });
    expect(changed.changeId).toMatch(/^clients:\d+$/);
    expect(same).toMatchObject({ error: null, changeId: null, requestId: expect.any(String) as unknown });
    expect(refused).toMatchObject({ error: { code: '23514' }, changeId: null });
    expect(new Set([changed, same, refused].map(({ requestId }) => requestId)).size).toBe(3);
    const undone = await headers.of(supabase.rpc('undo', { change_id: changed.changeId }));
    expect(undone).toMatchObject({ error: null });
    const { data } = await supabase.from('clients').select('name').eq('id', id).single();
    expect(data).toEqual({ name: 'Ada' });
  });
});
