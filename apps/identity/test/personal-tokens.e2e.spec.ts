import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, call, eventually, newPractice, readStatus, stack } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';
import pg from 'pg';

interface Made {
  readonly id: string;
  readonly token: string;
  readonly prefix: string;
}

let admin: pg.Client;
let other: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: stack().adminDatabaseUrl });
  await admin.connect();
  other = await stack().spawnProcess('gateway', { TRUSTED_PROXIES: '127.0.0.0/8' });
}, 60_000);
afterAll(async () => {
  await other.stop();
  await admin.end();
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
  it('is shown once, and listed by its beginning', async () => {
    const practice = await newPractice();
    const expires_at = '2099-01-31T10:00:00+02:00';
    const answer = await auth('POST', 'tokens', {
      token: practice.token,
      body: { name: ' Nightly export ', expires_at, read_only: true },
    });
    const shown = {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'Nightly export',
      prefix: expect.stringMatching(/^pat_[\w-]{8}$/),
      read_only: true,
      expires_at: '2099-01-31T08:00:00.000Z',
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
    };
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.json).toEqual({ ...shown, token: expect.stringMatching(/^pat_[\w-]{43}$/) });
    expect(await listed(practice)).toEqual([shown]);
    const { token, prefix } = answer.json as Made;
    expect(token.startsWith(prefix)).toBe(true);
    const { rows } = await admin.query('SELECT * FROM identity.personal_tokens WHERE therapist_id = $1', [
      practice.therapistId,
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('reads and writes its practice’s records, and no other’s', async () => {
    const [practice, other] = [await newPractice(), await newPractice()];
    const { token } = await made(practice);
    const name = 'Ada';
    expect((await rest(token, 'POST clients', { name })).status).toBe(201);
    expect((await rest(token, 'GET clients?select=name')).json).toEqual([{ name }]);
    expect((await practice.rest('clients?select=name')).json).toEqual([{ name }]);
    expect((await other.rest('clients')).json).toEqual([]);
    const foreign = await rest(token, `GET clients?therapist_id=eq.${other.therapistId}`);
    expect(foreign.json).toMatchObject({ code: '42501' });
    expect(await listed(practice)).toMatchObject([{ last_used_at: expect.stringMatching(/Z$/) }]);
  });

  it('that only reads writes nothing', async () => {
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

  it('sees the account, and changes nothing about it', async () => {
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

  it('that is revoked is refused at once, also by a gateway that accepted it before', async () => {
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

  it('outlives a sign-out and a new password, and ends when it expires', async () => {
    const practice = await newPractice();
    const { token, id } = await made(practice, { name: 'x', expires_at: '2099-01-01T00:00:00Z' });
    const body = { password: 'another good one' };
    expect((await auth('PUT', 'user', { token: practice.token, body })).status).toBe(200);
    expect((await auth('POST', 'logout', { token: practice.token })).status).toBe(204);
    expect(await readStatus(token)).toBe(200);
    // The other gateway has not seen it yet; this one looks again within five minutes.
    await admin.query(
      `UPDATE identity.personal_tokens SET expires_at = now() - interval '1 s' WHERE id = $1`,
      [id],
    );
    const headers = { authorization: `Bearer ${token}` };
    const answer = await call('/rest/v1/clients', { headers, origin: other.origin });
    expect(answer).toMatchObject({ status: 401, json: { code: 'PGRST303' } });
    expect((await auth('GET', 'user', { token, origin: other.origin })).status).toBe(403);
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
    expect((await shown(token, '192.0.2.2')).status).toBe(200);
    expect((await shown(token, '192.0.2.1')).status).toBe(200);
  });

  it('has a name, and no practice has more than a hundred', async () => {
    const practice = await newPractice();
    const { token } = practice;
    for (const body of [{}, { name: 7 }, { name: 'x', expires_at: 'soon' }, '{"name":"\\u0000"}'])
      expect(await auth('POST', 'tokens', { token, body })).toMatchObject({
        status: 400,
        json: { error_code: 'validation_failed' },
      });
    await admin.query(
      `INSERT INTO identity.personal_tokens (therapist_id, id, name, token_hash, prefix, read_only, created_at)
       SELECT $1, gen_random_uuid(), 'x', gen_random_uuid(), 'pat_', false, now() FROM generate_series(1, 100)`,
      [practice.therapistId],
    );
    expect((await auth('POST', 'tokens', { token, body: { name: 'x' } })).status).toBe(422);
  });
});
