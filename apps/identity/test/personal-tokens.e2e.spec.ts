import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  adminDatabase,
  auth,
  call,
  eventually,
  memberOf,
  newPractice,
  readStatus,
  stack,
} from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';

interface Made {
  readonly id: string;
  readonly token: string;
  readonly prefix: string;
}

const admin = adminDatabase();
let other: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
beforeAll(async () => {
  other = await stack().spawnProcess('gateway', {
    LIMIT_AUTH_PER_MINUTE: '10',
    TRUSTED_PROXIES: '127.0.0.0/8',
  });
});
afterAll(async () => {
  await other.stop();
});

const made = async ({ token }: Practice, body: object = { name: 'a script' }): Promise<Made> => {
  const answer = await auth('POST', 'tokens', { token, body });
  expect(answer.status).toBe(201);
  return answer.json as Made;
};
const listed = async ({ token }: Practice): Promise<object[]> =>
  (await auth('GET', 'tokens', { token })).json as object[];
/** @param what method and path */
function rest(token: string, what: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = what.split(' ');
  return call(`/rest/v1/${path}`, { method, body, headers: { authorization: `Bearer ${token}` } });
}

describe('a personal access token', () => {
  it('is not made in a session that ends in the meantime', async () => {
    const { token, therapistId, password } = await newPractice();
    await admin.query('UPDATE identity.sessions SET ended_at = now() WHERE user_id = $1', [therapistId]);
    const body = { name: 'late', current_password: password };
    expect(await auth('POST', 'tokens', { token, body })).toMatchObject({
      status: 403,
      json: { error_code: 'session_not_found' },
    });
  });

  it('is shown once, and listed with its first characters', async () => {
    const practice = await newPractice();
    const expires_at = new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000).toISOString();
    const answer = await auth('POST', 'tokens', {
      token: practice.token,
      body: { name: ' Nightly export ', expires_at, read_only: true },
    });
    const shown = {
      therapist_id: practice.therapistId,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'Nightly export',
      prefix: expect.stringMatching(/^pat_[\w-]{8}$/),
      read_only: true,
      scopes: ['*:read'],
      expires_at,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      last_used_address: null,
    };
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.json).toEqual({ ...shown, token: expect.stringMatching(/^pat_[\w-]{43}$/) });
    expect(await listed(practice)).toEqual([shown]);
    const { token, prefix } = answer.json as Made;
    expect(token.startsWith(prefix)).toBe(true);
    const { rows } = await admin.query('SELECT * FROM identity.personal_tokens WHERE user_id = $1', [
      practice.therapistId,
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('reads and writes records of its practice, and of no other practice', async () => {
    const [practice, other] = [await newPractice(), await newPractice()];
    const { token } = await made(practice);
    const name = 'Ada';
    expect((await rest(token, 'POST clients', { name })).status).toBe(201);
    expect((await rest(token, 'GET clients?select=name')).json).toEqual([{ name }]);
    expect((await practice.rest('clients?select=name')).json).toEqual([{ name }]);
    expect((await other.rest('clients')).json).toEqual([]);
    const foreign = await rest(token, `GET clients?therapist_id=eq.${other.therapistId}`);
    expect(foreign.json).toMatchObject({ code: '42501' });
    expect(await listed(practice)).toMatchObject([
      { last_used_at: expect.stringMatching(/Z$/), last_used_address: '127.0.0.1' },
    ]);
  });

  it('that is read-only cannot write', async () => {
    const practice = await newPractice();
    const { token } = await made(practice, { name: 'a report', read_only: true });
    for (let twice = 0; twice < 2; twice += 1) {
      expect((await rest(token, 'GET clients')).status).toBe(200);
      expect((await rest(token, 'HEAD clients')).status).toBe(200);
      for (const what of [
        'POST clients',
        'POST clients?columns=name',
        'PATCH clients?name=eq.Ada',
        'PUT clients?id=eq.00000000-0000-4000-8000-000000000000',
        'DELETE clients?name=eq.Ada',
      ])
        expect(await rest(token, what, { name: 'Ada' })).toMatchObject({
          status: 403,
          json: { code: '42501' },
        });
    }
    expect((await practice.rest('clients')).json).toEqual([]);
  });

  it('can read the account but not change it', async () => {
    const practice = await newPractice();
    const { token, id } = await made(practice);
    expect((await auth('GET', 'user', { token })).json).toMatchObject({ id: practice.therapistId });
    for (const [method, path, body] of [
      ['GET', 'tokens'],
      ['POST', 'tokens', { name: 'more' }],
      ['DELETE', `tokens/${id}`],
      ['PUT', 'user', { password: 'the password of an attacker' }],
      ['GET', 'reauthenticate'],
      ['POST', 'logout'],
    ] as const)
      expect([path, await auth(method, path, { token, body })]).toMatchObject([
        path,
        { status: 403, json: { error_code: 'no_authorization' } },
      ]);
    expect(await readStatus(practice.token)).toBe(200);
  });

  it('that is revoked is refused at once, even by a gateway that accepted it before', async () => {
    const [practice, stranger] = [await newPractice(), await newPractice()];
    const { token, id } = await made(practice);
    const kept = await made(practice);
    expect([await readStatus(token), await readStatus(token, other.origin)]).toEqual([200, 200]);
    const revoke = (by: Practice, which: string) => auth('DELETE', `tokens/${which}`, { token: by.token });
    expect((await revoke(stranger, id)).status).toBe(404);
    expect(await readStatus(token)).toBe(200);
    expect(await revoke(practice, id)).toMatchObject({ status: 204, text: '' });
    expect(await rest(token, 'GET clients')).toMatchObject({
      status: 401,
      json: { code: 'PGRST301' },
    });
    await eventually('the other gateway knows', async () => {
      return (await readStatus(token, other.origin)) === 401;
    });
    expect(await readStatus(kept.token)).toBe(200);
    expect(await listed(practice)).toMatchObject([{ id: kept.id }]);
    for (const gone of [id, 'x', '00000000-0000-4000-8000-000000000000'])
      expect(await revoke(practice, gone)).toMatchObject({
        status: 404,
        json: { error_code: 'token_not_found' },
      });
  });

  it('ends with a new password and with a global sign-out, in every gateway', async () => {
    const body = { password: 'another good one' };
    const endings: ((token: string) => Promise<Answer>)[] = [
      (token) => auth('PUT', 'user', { token, body }),
      (token) => auth('POST', 'logout', { token }),
    ];
    for (const end of endings) {
      const practice = await newPractice();
      const { token } = await made(practice);
      const kept = await made(await newPractice());
      expect([await readStatus(token), await readStatus(token, other.origin)]).toEqual([200, 200]);
      expect((await end(practice.token)).status).toBeLessThan(300);
      expect(await readStatus(token)).toBe(401);
      await eventually(
        'the other gateway knows',
        async () => (await readStatus(token, other.origin)) === 401,
      );
      expect(await readStatus(kept.token)).toBe(200);
    }
  });

  it('outlives a sign-out of one session, and ends when it expires: after 90 days by default', async () => {
    const practice = await newPractice();
    const { token, id } = await made(practice);
    expect((await auth('POST', 'logout?scope=local', { token: practice.token })).status).toBe(204);
    expect(await readStatus(token)).toBe(200);
    const { rows } = await admin.query<{ days: number }>(
      'SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM identity.personal_tokens WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ days: 90 }]);
    // The other gateway has not seen the token yet. The first gateway may accept it for up to five minutes.
    await admin.query(
      `UPDATE identity.personal_tokens SET expires_at = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    const headers = { authorization: `Bearer ${token}` };
    const answer = await call('/rest/v1/clients', { headers, origin: other.origin });
    expect(answer).toMatchObject({ status: 401, json: { code: 'PGRST303' } });
    expect((await auth('GET', 'user', { token, origin: other.origin })).status).toBe(403);
  });

  it('cannot get scopes that the role of its maker does not permit', async () => {
    const { member: practice } = await memberOf(await newPractice(), 'billing');
    const scopes = ['clients:read', 'memberships:write'];
    const refused = await auth('POST', 'tokens', { token: practice.token, body: { name: 'x', scopes } });
    expect(refused).toMatchObject({
      status: 403,
      json: { error_code: 'insufficient_role', message: expect.stringMatching(/: memberships:write$/) },
    });
    expect(await listed(practice)).toEqual([]);
  });

  it('cannot get scopes of functions that do not exist', async () => {
    const practice = await newPractice();
    const body = { name: 'x', scopes: ['clients:read', 'rpc:no_such_function'] };
    const refused = await auth('POST', 'tokens', { token: practice.token, body });
    expect(refused).toMatchObject({ status: 400, json: { error_code: 'validation_failed' } });
    expect(await listed(practice)).toEqual([]);
  });

  it('with scopes can do no more than the scopes permit, including embedded records', async () => {
    const practice = await newPractice();
    const scopes = ['clients:read', 'expenses:write'];
    const { token } = await made(practice, { name: 'books', scopes });
    expect(await listed(practice)).toMatchObject([{ scopes, read_only: false }]);
    const expense = { date: '2030-01-07', category: 'rent', amount: 5 };
    for (const [what, status, body] of [
      ['GET clients', 200],
      ['HEAD clients', 200],
      ['POST clients', 403, { name: 'Ada' }],
      ['PATCH clients?name=eq.Ada', 403, { name: 'Bea' }],
      ['PUT clients?id=eq.00000000-0000-4000-8000-000000000000', 403, { name: 'Ada' }],
      ['DELETE clients?name=eq.Ada', 403],
      ['POST expenses', 201, expense],
      ['GET expenses', 200],
      ['GET appointments', 403],
      ['GET clients?select=name,appointments(id)', 403],
      ['GET clients?select=name,appointments!inner()', 403],
      ['GET clients?select=name,...appointments(id)', 403],
      ['GET clients?select=name,x:appointments(count())', 403],
      ['GET clients?select=name,appointments()&appointments=is.null', 403],
      ['GET clients?select=name,conversation_log(clients(appointments(id)))', 403],
      ['GET clients_history', 200],
      ['GET clients?select=name,clients_history(event)', 200],
      ['GET appointments_history', 403],
      ['GET clients?select=name,clients_history(clients(appointments(id)))', 403],
      ['GET clients_history?select=clients(sessions(id))', 403],
    ] as const) {
      const answer = await rest(token, what, body);
      expect([what, answer.status]).toEqual([what, status]);
      if (status === 403) {
        expect(answer.json).toMatchObject({
          code: '42501',
          message: expect.stringContaining('lacks the scope'),
        });
      }
    }
  });

  it.each<object>([
    { scopes: [] },
    { scopes: 'clients:read' },
    { scopes: ['clients'] },
    { scopes: ['clients:delete'] },
    { scopes: ['users:read'] },
    { scopes: ['nothing:read'] },
    { scopes: ['clients:read', 7] },
    { scopes: ['clients:read'], read_only: true },
    { expires_at: new Date(Date.now() + 366 * 86_400_000).toISOString() },
  ])('is not made with %j', async (given) => {
    const { token } = await newPractice();
    expect(await auth('POST', 'tokens', { token, body: { name: 'x', ...given } })).toMatchObject({
      status: 400,
      json: { error_code: 'validation_failed' },
    });
  });

  it('that is unknown is refused, and an address that presents many is throttled', async () => {
    const practice = await newPractice();
    const { token } = await made(practice);
    const shown = (bearer: string, address: string) =>
      call('/rest/v1/clients', {
        headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': address },
        origin: other.origin,
      });
    const guess = `pat_${'A'.repeat(43)}`;
    const refused = { status: 401, json: { code: 'PGRST301' } };
    for (const bearer of ['pat_', 'pat_x', guess, `${token}A`])
      expect(await shown(bearer, '192.0.2.1')).toMatchObject(refused);
    await Promise.all(Array.from({ length: 96 }, () => shown(guess, '192.0.2.1')));
    expect((await shown(guess, '192.0.2.1')).status).toBe(429);
    expect(await shown(guess, '192.0.2.2')).toMatchObject(refused);
    // A gateway remembers a token unless a session of any practice ends while the token is checked.
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      expect((await shown(token, '192.0.2.2')).status).toBe(200);
      statuses.push((await shown(token, '192.0.2.1')).status);
    }
    expect(statuses).toContain(200);
  });

  it('needs a valid name, and a user can have at most 100', async () => {
    const practice = await newPractice();
    const { token } = practice;
    for (const body of [{}, { name: 7 }, { name: 'x', expires_at: 'soon' }, '{"name":"\\u0000"}'])
      expect(await auth('POST', 'tokens', { token, body })).toMatchObject({
        status: 400,
        json: { error_code: 'validation_failed' },
      });
    await admin.query(
      `INSERT INTO identity.personal_tokens (user_id, therapist_id, id, name, token_hash, prefix, expires_at, created_at)
       SELECT $1, $1, gen_random_uuid(), 'x', gen_random_uuid(), 'pat_', now() + interval '1 day', now() FROM generate_series(1, 100)`,
      [practice.therapistId],
    );
    expect((await auth('POST', 'tokens', { token, body: { name: 'x' } })).status).toBe(422);
  });
});
