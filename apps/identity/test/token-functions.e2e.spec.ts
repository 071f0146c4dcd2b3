// Personal access tokens by functions, as the real client of Supabase calls them.

import { describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  auth,
  memberOf,
  newPractice,
  type Practice,
  readStatus,
  stack,
  patientFetch,
} from '@practice/testing';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

const admin = adminDatabase();

async function clientOf({ email, password }: Practice): Promise<SupabaseClient> {
  const supabase = createClient(stack().baseUrl, stack().apikey, {
    global: { fetch: patientFetch },
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });
  expect((await supabase.auth.signInWithPassword({ email, password })).error).toBeNull();
  return supabase;
}

describe('personal access tokens by functions', () => {
  it('are made, listed as the auth API lists them, and revoked', async () => {
    const practice = await newPractice();
    const supabase = await clientOf(practice);
    const given = { name: ' Nightly export ', scopes: ['clients:read', 'appointments:read'] };
    const { data, error } = await supabase.rpc('create_token', given);
    expect([error, data]).toEqual([
      null,
      expect.objectContaining({
        ...{ name: 'Nightly export', therapist_id: practice.therapistId, read_only: true },
        scopes: ['appointments:read', 'clients:read'],
        token: expect.stringMatching(/^pat_[\w-]{43}$/),
      }),
    ]);
    const { token, ...shown } = data as { id: string; token: string };
    expect(await readStatus(token)).toBe(200);
    const { data: tokens } = await supabase.rpc('my_tokens', {}, { get: true });
    expect(tokens).toEqual([{ ...shown, last_used_at: expect.any(String), last_used_address: '127.0.0.1' }]);
    const { json } = await auth('GET', 'tokens', { token: practice.token });
    expect((json as { id: string }[]).map(({ id }) => id)).toEqual([shown.id]);
    expect((await supabase.rpc('revoke_token', { id: shown.id })).error).toBeNull();
    expect(await readStatus(token)).toBe(401);
    expect((await supabase.rpc('revoke_token', { id: shown.id })).error?.code).toBe('PM404');
    const kinds = await practice.rest(
      `security_events?token_id=eq.${shown.id}&select=kind,address&order=kind`,
    );
    expect(kinds.json).toEqual(
      ['token_created', 'token_revoked'].map((kind) => ({ kind, address: '127.0.0.1' })),
    );
  });

  it('belong only to their owner', async () => {
    const practice = await newPractice();
    const { member } = await memberOf(practice, 'therapist');
    const made = await member.rest('rpc/create_token', { method: 'POST', body: { name: 'a script' } });
    expect(made.status).toBe(200);
    const { id, token } = made.json as { id: string; token: string };
    expect((await practice.rest('rpc/my_tokens')).json).toEqual([]);
    const revoke = { method: 'POST', body: { id } };
    expect((await practice.rest('rpc/revoke_token', revoke)).status).toBe(404);
    expect(await readStatus(token)).toBe(200);
  });

  it('follow the rules of the auth API', async () => {
    const practice = await newPractice();
    const { member } = await memberOf(practice, 'read_only');
    const create = (body: object, person = practice) =>
      person.rest('rpc/create_token', { method: 'POST', body });
    for (const body of [
      { name: ' ' },
      { name: 'x', scopes: ['nothing:read'] },
      { name: 'x', scopes: [] },
      { name: 'x', scopes: ['clients:read'], read_only: true },
      { name: 'x', expires_at: '2000-01-01T00:00:00Z' },
    ])
      expect([body, await create(body)]).toMatchObject([body, { status: 400 }]);
    expect(await create({ name: 'x', scopes: ['clients:write'] }, member)).toMatchObject({
      status: 403,
      json: { code: 'insufficient_role' },
    });
    expect(await create({ name: 'x', current_password: 'wrong' })).toMatchObject({
      status: 400,
      json: { code: 'current_password_invalid' },
    });
    await admin.query(
      `UPDATE identity.sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1`,
      [practice.therapistId],
    );
    expect(await create({ name: 'x' })).toMatchObject({ json: { code: 'reauthentication_needed' } });
    expect((await practice.rest('rpc/my_tokens')).json).toEqual([]);
  });

  it('cannot be managed with a personal access token', async () => {
    const practice = await newPractice();
    const made = await practice.rest('rpc/create_token', { method: 'POST', body: { name: 'a script' } });
    const headers = { authorization: `Bearer ${(made.json as { token: string }).token}` };
    const calls = {
      my_tokens: {},
      create_token: { name: 'more' },
      revoke_token: { id: practice.therapistId },
    };
    for (const [name, body] of Object.entries(calls))
      expect((await practice.rest(`rpc/${name}`, { method: 'POST', body, headers })).status).toBe(403);
  });
});
