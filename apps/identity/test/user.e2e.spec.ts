import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { adminDatabase, auth, eventually, newPractice, readStatus, signIn, stack } from '@practice/testing';
import type { Answer, Session } from '@practice/testing';

const admin = adminDatabase();

const change = (token: string, body: unknown): Promise<Answer> => auth('PUT', 'user', { token, body });
/** Runs `rebuild` of the identity program. The status is 1 if a check finds a difference. */
async function rebuild(...args: string[]): Promise<{ status: number; output: string }> {
  const program = join(import.meta.dirname, '..', 'dist', 'main.js');
  const env = {
    DATABASE_URL: stack().databaseUrl('identity_owner'),
    NATS_URL: stack().natsUrl('identity'),
    PERSONAL_KEYS: `file:${join(stack().dataDir, 'keys', 'identity.keys')}`,
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, 'rebuild', ...args],
      { env },
      (_error, output, errors) => resolve({ status: child.exitCode ?? -1, output: output + errors }),
    );
  });
}

const newEmail = (): string => `changed-${randomUUID()}@example.com`;

describe('a user', () => {
  it('can change the password, and other sessions are signed out at once', async () => {
    const practice = await newPractice();
    const session = (await signIn(practice)).json as Session;
    expect(await readStatus(practice.token)).toBe(200);
    const password = 'another good one';
    expect((await change(session.access_token, { password })).status).toBe(200);
    expect(await readStatus(session.access_token)).toBe(200);
    expect(await readStatus(practice.token)).toBe(401);
    expect((await signIn(practice)).status).toBe(400);
    expect((await signIn({ ...practice, password })).status).toBe(200);
  });

  it('may omit the old password, but a wrong old password and an unchanged password are refused', async () => {
    const { token, password, email } = await newPractice();
    const refused: [object, number, string][] = [
      [{ password }, 422, 'same_password'],
      [{ password: 'another good one', current_password: 'wrong' }, 400, 'current_password_invalid'],
      [{ password: 'short' }, 422, 'weak_password'],
      [{ password: '' }, 400, 'validation_failed'],
      [{ password: 7 }, 400, 'validation_failed'],
      [{ password: email }, 422, 'weak_password'],
      [{ password: 'x'.repeat(73) }, 400, 'validation_failed'],
      [{ email: 'no-address' }, 400, 'validation_failed'],
      [{ phone: '+123' }, 400, 'phone_provider_disabled'],
      [{ data: [] }, 400, 'validation_failed'],
      [{ data: { a: 'x'.repeat(5000) } }, 400, 'validation_failed'],
      [{ nonce: '123456' }, 422, 'reauthentication_not_valid'],
    ];
    for (const [body, status, code] of refused)
      expect([body, await change(token, body)]).toMatchObject([body, { status, json: { error_code: code } }]);
    const body = { password: 'another good one', current_password: password };
    expect((await change(token, body)).status).toBe(200);
  });

  it('can change the address, with an event in the log of the practice and on the bus', async () => {
    const practice = await newPractice();
    const email = newEmail();
    expect(await change(practice.token, { email: email.toUpperCase() })).toMatchObject({
      status: 200,
      json: { email, identities: [{ email, identity_data: { email } }] },
    });
    expect((await signIn(practice)).status).toBe(400);
    expect((await signIn({ ...practice, email })).status).toBe(200);
    expect((await change(practice.token, { email })).status).toBe(200);
    const { rows } = await admin.query(
      `SELECT position::int, version, type, data FROM identity.events
       WHERE therapist_id = $1 AND aggregate <> 'security_event' ORDER BY position`,
      [practice.therapistId],
    );
    expect(rows).toMatchObject([
      { position: 1, version: 1, type: 'PracticeOpened', data: { email: practice.email } },
      { position: 2, version: 1, type: 'MembershipCreated', data: { email: practice.email } },
      { position: 3, version: 1, type: 'UserRegistered', data: { email: practice.email } },
      // The security event of the sign-up is between them.
      { position: 5, version: 2, type: 'UserAddressChanged', data: { email } },
      { position: 6, version: 2, type: 'PracticeContactChanged', data: { email } },
      { position: 7, version: 2, type: 'MembershipDetailsChanged', data: { email } },
    ]);
    await eventually('the outbox is empty', async () => {
      const sql = 'SELECT 1 FROM identity.outbox WHERE therapist_id = $1';
      return (await admin.query(sql, [practice.therapistId])).rowCount === 0;
    });
  });

  it('cannot take the address of another user', async () => {
    const [a, b] = [await newPractice(), await newPractice()];
    expect(await change(a.token, { email: b.email, data: { kept: false } })).toMatchObject({
      status: 422,
      json: { error_code: 'email_exists' },
    });
    const user = await auth('GET', 'user', { token: a.token });
    expect(user.json).toMatchObject({ email: a.email, user_metadata: {} });
  });

  it('cannot take the address of another membership of the own practice', async () => {
    const practice = await newPractice();
    const email = newEmail();
    const invited = { method: 'POST', body: { email, role: 'front_desk' } };
    expect((await practice.rest('memberships', invited)).status).toBe(201);
    const message = 'Another membership of your practice has this email address';
    expect(await change(practice.token, { email })).toMatchObject({
      status: 422,
      json: { error_code: 'email_exists', message },
    });
    expect((await practice.rest(`memberships?email=eq.${email}`, { method: 'DELETE' })).status).toBe(204);
    expect((await change(practice.token, { email })).status).toBe(200);
  });

  it('changes nothing with a session that ends while the call waits', async () => {
    const practice = await newPractice();
    const other = (await signIn(practice)).json as Session;
    await admin.query('BEGIN');
    await admin.query('SELECT 1 FROM identity.practice_head WHERE therapist_id = $1 FOR UPDATE', [
      practice.therapistId,
    ]);
    const changed = change(practice.token, { password: 'the password of a thief' });
    await eventually('the change waits for the practice', async () => {
      const waiting = 'SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
      return (await admin.query(waiting)).rowCount === 1;
    });
    const signedOut = auth('POST', 'logout?scope=others', { token: other.access_token });
    await eventually('the session has ended', async () => {
      const ended = 'SELECT 1 FROM identity.sessions WHERE user_id = $1 AND ended_at IS NOT NULL';
      return (await admin.query(ended, [practice.therapistId])).rowCount === 1;
    });
    await admin.query('COMMIT');
    expect((await signedOut).status).toBe(204);
    expect(await changed).toMatchObject({ status: 403, json: { error_code: 'session_not_found' } });
    expect((await signIn(practice)).status).toBe(200);
  });

  it('does not get the same address as another user who requests it at the same time', async () => {
    const [a, b, email] = [await newPractice(), await newPractice(), newEmail()];
    const answers = await Promise.all([a, b].map(({ token }) => change(token, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('can merge user_metadata, remove a key with null, and make simultaneous changes without losing any', async () => {
    const { token } = await newPractice();
    await Promise.all([1, 2, 3, 4].map((number) => change(token, { data: { [`key${number}`]: number } })));
    const answer = await change(token, { data: { key1: null, name: 'Dana' } });
    expect(answer.json).toMatchObject({ user_metadata: { key2: 2, key3: 3, key4: 4, name: 'Dana' } });
    expect((answer.json as Session['user']).user_metadata).not.toHaveProperty('key1');
    for (const text of ['\\u0000', '\\ud800'])
      expect((await change(token, `{"data":{"x":"${text}"}}`)).status).toBe(400);
  });

  it('can change the password although earlier details are larger than new ones may be', async () => {
    const { token, therapistId } = await newPractice();
    await admin.query('UPDATE identity.users SET metadata = $2 WHERE therapist_id = $1', [
      therapistId,
      { name: '中'.repeat(2000) },
    ]);
    expect((await change(token, { data: { more: 1 } })).status).toBe(400);
    expect((await change(token, { password: 'another good one' })).status).toBe(200);
    expect((await change(token, { data: { name: null } })).status).toBe(200);
  });

  it('needs a session for changes', async () => {
    expect(await auth('PUT', 'user', { body: { data: {} } })).toMatchObject({
      status: 401,
      json: { error_code: 'no_authorization' },
    });
  });

  it('is rebuilt from the log, and the check reports rows that differ', async () => {
    const { token, therapistId, email } = await newPractice();
    expect((await change(token, { email: newEmail(), data: { name: 'Dana' } })).status).toBe(200);
    const unchanged = await rebuild('--check');
    expect(unchanged.output).toMatch(/identity: folded the log of \d+ practices; \d+ rows differ/);
    expect(unchanged.output).not.toContain(therapistId);
    await admin.query('UPDATE identity.users SET email = $2 WHERE therapist_id = $1', [therapistId, email]);
    const report = `users ${therapistId} of practice ${therapistId}: differs email`;
    const found = await rebuild('--check');
    expect(found.output).toContain(report);
    expect(found.status).toBe(1);
    const corrected = await rebuild();
    expect(corrected.output).toContain(report);
    expect(corrected.status).toBe(0);
    expect((await rebuild('--check')).output).not.toContain(therapistId);
    expect(await readStatus(token)).toBe(200);
  });
});
