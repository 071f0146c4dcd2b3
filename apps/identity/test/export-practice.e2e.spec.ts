// Calls of `export_practice`, with the real client.

import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, call } from '@practice/testing';
import { begin, ended } from './archives.js';
import { password } from './mfa-accounts.js';
import { joined, signUp, tokenOf } from './people.js';

const admin = adminDatabase();

describe('export_practice', () => {
  it('begins one export at a time', async () => {
    const owner = await signUp();
    const answers = await Promise.all([1, 2, 3].map(() => owner.supabase.rpc('export_practice')));
    expect(answers.map(({ error }) => error?.code ?? 'begun').sort()).toEqual(['PM014', 'PM014', 'begun']);
    const { count } = await owner.supabase.from('exports').select('*', { count: 'exact', head: true });
    expect(count).toBe(1);
  });

  it('begins no export in a dry run, and only one export for one idempotency key', async () => {
    const owner = await signUp();
    const headers = { authorization: `Bearer ${await tokenOf(owner)}` };
    const exported = (more: object) =>
      call('/rest/v1/rpc/export_practice', { method: 'POST', body: {}, headers: { ...headers, ...more } });
    // As many dry runs as a practice may begin exports in a day: dry runs do not count.
    for (let index = 0; index < 10; index += 1)
      expect((await exported({ prefer: 'tx=rollback' })).status).toBe(200);
    expect((await owner.supabase.from('exports').select()).data).toEqual([]);
    const key = { 'idempotency-key': owner.id };
    const { json } = await exported(key);
    expect(await ended(owner, (json as { id: string }).id)).toMatchObject({ status: 'done' });
    expect(await exported(key)).toMatchObject({ status: 409, json: { code: 'PM005' } });
    expect((await owner.supabase.from('exports').select()).data).toHaveLength(1);
  });

  it('is for owners with a recent sign-in, and only owners read exports', async () => {
    const owner = await signUp();
    const { id } = await begin(owner);
    expect(await ended(owner, id)).toMatchObject({ status: 'done' });
    const therapist = await joined(owner, 'therapist');
    for (const refused of [
      await therapist.supabase.rpc('export_practice'),
      await therapist.supabase.from('exports').select(),
    ])
      expect(refused).toMatchObject({ status: 403, error: { code: '42501' } });
    expect((await (await signUp()).supabase.from('exports').select()).data).toEqual([]);
    const made = await auth('POST', 'tokens', { token: await tokenOf(owner), body: { name: 'script' } });
    const personal = { authorization: `Bearer ${(made.json as { token: string }).token}` };
    const refused = await call('/rest/v1/rpc/export_practice', {
      method: 'POST',
      body: {},
      headers: personal,
    });
    expect(refused).toMatchObject({ status: 403, json: { code: '42501' } });
    const age = `UPDATE identity.sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`;
    await admin.query(age, [owner.id]);
    const { error } = await owner.supabase.rpc('export_practice');
    expect(error).toMatchObject({ code: 'reauthentication_needed' });
    const proven = await owner.supabase.rpc('export_practice', { current_password: password });
    expect([null, 'PM014']).toContain(proven.error?.code ?? null);
  });
});
