// The erasure of a practice, 30 days after it was closed, or by the operator.

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join as joinPath } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, call, eventually, readStatus, stack, tablesWith } from '@practice/testing';
import { begin, ended } from './archives.js';
import { register } from './authenticator.js';
import { client, enroll, password, signedIn } from './mfa-accounts.js';
import { claimsOf, join, joined, signUp, tokenOf, type Person } from './people.js';
import { close, plant } from './planted.js';

const admin = adminDatabase();

/** Moves the time of the erasure to now. */
const moveClock = ({ id }: Person) =>
  admin.query('UPDATE identity.practice_head SET erase_at = now() WHERE therapist_id = $1', [id]);

/** The services in which the practice is erased: the service of its record, and the services that destroyed its keys. */
async function erasedIn({ id }: Person): Promise<string[]> {
  const { rows } = await admin.query<{ service: string }>(
    `SELECT 'identity' AS service FROM identity.practices WHERE id = $1 AND erased_at IS NOT NULL
     ${['clients', 'scheduling', 'clinical_notes'].map((schema) => `UNION ALL SELECT '${schema}' FROM "${schema}".personal_keys WHERE therapist_id = $1 AND client_id = $1 AND sealed_key IS NULL`).join(' ')}`,
    [id],
  );
  return rows.map(({ service }) => service).sort();
}

const erased = (owner: Person): Promise<unknown> =>
  eventually('the practice is erased in every service', async () => (await erasedIn(owner)).length === 4);

const signIn = ({ email }: Person) => client().auth.signInWithPassword({ email, password });

describe('a closed practice whose time has come', () => {
  it('is erased in every service, and so is the account of its owner', async () => {
    const owner = await signUp();
    const text = await plant(owner);
    const token = await tokenOf(owner);
    const made = await auth('POST', 'tokens', { token, body: { name: 'script' } });
    const personal = (made.json as { token: string }).token;
    await enroll(owner);
    expect((await register(owner.supabase)).error).toBeNull();
    const { link, id } = await begin(owner);
    await ended(owner, id);
    expect(Object.keys(await tablesWith(admin, text)).length).toBeGreaterThan(6);
    await close(owner);
    const last = await tokenOf(owner);
    await moveClock(owner);
    await erased(owner);
    expect(await tablesWith(admin, text)).toEqual({});
    for (const refused of [last, personal]) expect(await readStatus(refused)).toBe(401);
    expect((await signIn(owner)).error).toMatchObject({ code: 'invalid_credentials' });
    expect(await call(link.slice(stack().baseUrl.length))).toMatchObject({ status: 404 });
    for (const table of [
      ...['credentials', 'sessions', 'refresh_tokens', 'personal_tokens', 'mfa_factors'],
      ...['passkeys', 'passkey_challenges'],
    ])
      expect(
        (await admin.query(`SELECT FROM identity.${table} WHERE user_id = $1`, [owner.id])).rowCount,
      ).toBe(0);
    const records = ['credentials', 'users', 'practices', 'memberships', 'address_changes', 'idempotency'];
    const tables = Object.keys(await tablesWith(admin, owner.email));
    expect(tables.filter((name) => records.includes(name.replace('identity.', '')))).toEqual([]);
    // The address is free.
    const { error } = await client().auth.signUp({ email: owner.email, password });
    expect(error).toBeNull();
  });

  it('is erased once, regardless of the number of processes that check', async () => {
    const owner = await signUp();
    await close(owner);
    await moveClock(owner);
    await erased(owner);
    await moveClock(owner);
    const second = await signUp();
    await close(second);
    await moveClock(second);
    await erased(second);
    const { rows } = await admin.query(
      `SELECT type FROM identity.events WHERE therapist_id = $1 AND stream_id = $1 AND aggregate = 'practice' ORDER BY position`,
      [owner.id],
    );
    expect(rows.map(({ type }) => type)).toEqual(['PracticeOpened', 'PracticeClosed', 'PracticeErased']);
  });

  it('does not erase the accounts of members of other practices', async () => {
    const [owner, other] = [await signUp(), await signUp()];
    const member = await joined(owner, 'therapist');
    await join(other, owner, 'therapist');
    await plant(other);
    const inOther = await tokenOf(owner);
    await close({ ...owner, supabase: await inOwnPractice(owner) });
    await moveClock(owner);
    await erased(owner);
    // The session has just left the erased practice, so an access token for it may be valid: the session ends.
    await eventually('the session ends', async () => (await readStatus(inOther)) === 401);
    const back = await signedIn(owner.email);
    expect(await claimsOf({ ...owner, supabase: back })).toMatchObject({ therapist_id: other.id });
    expect((await back.from('clients').select('id')).data).toHaveLength(1);
    const { data } = await back.rpc('my_practices').select('therapist_id');
    expect(data).toEqual([{ therapist_id: other.id }]);
    expect((await back.rpc('switch_practice', { therapist_id: owner.id })).error).toMatchObject({
      code: '42501',
    });
    // The member's own practice.
    const home = await signedIn(member.email);
    expect(await claimsOf({ ...member, supabase: home })).toMatchObject({ therapist_id: member.id });
    expect((await home.from('clients').insert({ name: 'Ada' })).error).toBeNull();
  });

  it('is not erased if it was reopened before', async () => {
    const owner = await signUp();
    const text = await plant(owner);
    await close(owner);
    expect((await owner.supabase.rpc('reopen_practice')).error).toBeNull();
    const other = await signUp();
    await close(other);
    await moveClock(other);
    await erased(other);
    expect(await erasedIn(owner)).toEqual([]);
    expect((await owner.supabase.from('clients').select('name')).data).toEqual([{ name: text }]);
  });
});

async function inOwnPractice(person: Person) {
  const supabase = await signedIn(person.email);
  expect((await supabase.rpc('switch_practice', { therapist_id: person.id })).error).toBeNull();
  expect((await supabase.auth.refreshSession()).error).toBeNull();
  return supabase;
}

describe('npm run log -- erase-practice', () => {
  const root = joinPath(import.meta.dirname, '..', '..', '..');

  /** The command as `npm run log` runs it, on the running system. Returns its exit code. */
  const command = (...args: readonly string[]): Promise<number> =>
    promisify(execFile)(
      process.execPath,
      [joinPath(root, 'apps/identity/dist/main.js'), 'erase-practice', ...args],
      { env: { DATABASE_URL: stack().databaseUrl('identity_owner') } },
    ).then(
      () => 0,
      (error: { code: number }) => error.code,
    );

  it('erases an open practice at once, if that is confirmed', async () => {
    const owner = await signUp();
    const text = await plant(owner);
    expect(await command(owner.id)).toBe(2);
    expect(await erasedIn(owner)).toEqual([]);
    expect(await command(owner.id, '--yes')).toBe(0);
    await erased(owner);
    expect(await tablesWith(admin, text)).toEqual({});
    expect((await signIn(owner)).error).toMatchObject({ code: 'invalid_credentials' });
    expect(await command(owner.id, '--yes')).toBe(0);
  });

  it.each([
    [1, [randomUUID(), '--yes']],
    [2, ['all', '--yes']],
    [2, []],
  ] as const)('ends with %i for %j', async (code, args) => expect(await command(...args)).toBe(code));
});
