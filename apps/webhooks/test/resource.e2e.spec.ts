// The records of webhooks, by supabase-js and HTTP.
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adminDatabase, find, make, newPractice, remove, stack, tablesWith } from '@practice/testing';
import type { Answer } from '@practice/testing';
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

const admin = adminDatabase();

describe('the resource webhooks', () => {
  it('gives the secret once, with supabase-js, and never again', async () => {
    const practice = await newPractice();
    const { baseUrl, apikey } = stack();
    const supabase = createClient(baseUrl, apikey, {
      accessToken: () => Promise.resolve(practice.token),
      realtime: { transport: WebSocket as never },
    });
    const url = 'https://example.com/hook?token=abc';
    const { data, error } = await supabase.from('webhooks').insert({ url }).select().single();
    expect(error).toBeNull();
    const { id, secret } = data as { id: string; secret: string };
    expect(data).toMatchObject({ url, event_types: null, status: 'active', description: null });
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    const chosen = await supabase.from('webhooks').insert({ url }).select('url, key:secret').single();
    expect(chosen.data).toEqual({ url, key: expect.stringMatching(/^whsec_/) });
    const again = await supabase.from('webhooks').select().eq('id', id).single();
    expect(again.data).toMatchObject({ id, url, secret: null });
    const changed = await supabase
      .from('webhooks')
      .update({ description: 'x' })
      .eq('id', id)
      .select()
      .single();
    expect(changed.data).toMatchObject({ id, description: 'x', secret: null });
    const { data: events } = await supabase.from('webhooks_history').select().eq('id', id);
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(await tablesWith(admin, secret)).toEqual({});
    expect(await tablesWith(admin, secret.slice('whsec_'.length))).toEqual({});
  });

  it('does not keep a response with a secret under an Idempotency-Key', async () => {
    const practice = await newPractice();
    const headers = { 'idempotency-key': randomUUID(), prefer: 'return=representation' };
    const call = { method: 'POST', body: { url: 'https://example.com/a' }, headers };
    const first = await practice.rest('webhooks', call);
    const [{ secret }] = first.json as [{ secret: string }];
    const again = await practice.rest('webhooks', call);
    expect([again.status, (again.json as { code: string }).code]).toEqual([409, 'PM005']);
    expect((await practice.rest('webhooks')).json).toHaveLength(1);
    expect(await tablesWith(admin, secret)).toEqual({});
  });

  it.each([
    'https://127.0.0.1/x',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://167772161/',
    'https://0xa9fea9fe/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://metadata.internal/',
    'https://user:secret@example.com/',
    'http://example.com/',
    'https://[/',
  ])('refuses the URL %s, and nothing changes', async (url) => {
    const practice = await newPractice();
    // Receivers on this machine are permitted in development.
    const isLoopback =
      url.includes('127') || url.includes('2130706433') || url.includes('0x7f') || url.includes('::1');
    const answered = await practice.rest('webhooks', { method: 'POST', body: { url } });
    if (isLoopback) return expect(answered.status).toBe(201);
    expect([answered.status, (answered.json as { code: string }).code]).toEqual([400, 'PM010']);
    expect((await practice.rest('webhooks')).json).toEqual([]);
  });

  it('has a limit, and refuses invalid URLs, unknown types and a status that only the server sets', async () => {
    const practice = await newPractice();
    const url = 'https://example.com/';
    const post = (body: object): Promise<Answer> => practice.rest('webhooks', { method: 'POST', body });
    const codes = [
      (await post({ url: 'not a url' })).json,
      (await post({ url: 'ftp://example.com/' })).json,
      (await post({ url, event_types: ['Nothing'] })).json,
      (await post({ url, event_types: [] })).json,
      (await post({ url, status: 'failing' })).json,
      (await post(Array.from({ length: 11 }, () => ({ url })))).json,
    ].map((json) => (json as { code: string }).code);
    expect(codes).toEqual(['23514', '23514', '22023', '22023', 'PM001', 'PM012']);
    const { id } = await make(practice, 'webhooks', { url, event_types: ['ClientRegistered'] });
    const change = { method: 'PATCH', body: { status: 'failing' } };
    expect((await practice.rest(`webhooks?id=eq.${id}`, change)).status).toBe(409);
    expect(await find(practice, 'webhooks', id)).toMatchObject({
      status: 'active',
      event_types: ['ClientRegistered'],
    });
    expect((await remove(practice, 'webhooks', id)).status).toBe(204);
  });
});
