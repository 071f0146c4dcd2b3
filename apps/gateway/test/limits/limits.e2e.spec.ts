import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, readStatus, signIn, stack } from '@practice/testing';
import type { Answer, Call, Session } from '@practice/testing';
import jwt from 'jsonwebtoken';

const secret = 'another issuer, which knows the members of a practice';
const issuer = 'https://members.example.com';
let gateway: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;

beforeAll(async () => {
  gateway = await stack().spawnProcess('gateway', {
    LIMIT_READS_PER_MINUTE: '5',
    LIMIT_WRITES_PER_MINUTE: '3',
    LIMIT_AUTH_PER_MINUTE: '4',
    TRUSTED_PROXIES: '127.0.0.0/8',
    JWT_SECRET: secret,
    JWT_ISSUER: issuer,
  });
});
afterAll(() => gateway.stop());

const ask = (path: string, given: Call = {}): Promise<Answer> =>
  call(path, { ...given, origin: gateway.origin });
const left = ({ headers }: Answer): (string | null)[] =>
  ['ratelimit-limit', 'ratelimit-remaining'].map((name) => headers.get(name));

describe('limits', () => {
  it('count reads and writes of a user separately and report the remaining requests', async () => {
    const { rest, therapistId } = await newPractice();
    const read = () => rest('appointments', { origin: gateway.origin });
    const write = () =>
      rest('service_menu', {
        method: 'POST',
        origin: gateway.origin,
        body: { therapist_id: therapistId, name: 'Massage', duration: 60, price: 80 },
      });
    const answers = [await read(), await read(), await read(), await read(), await read()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.map(left)).toEqual([4, 3, 2, 1, 0].map((remaining) => ['5', String(remaining)]));
    expect(Number(answers[0]?.headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    const refused = await read();
    expect(refused.status).toBe(429);
    const seconds = refused.headers.get('retry-after');
    expect(refused.json).toMatchObject({
      code: 'PM004',
      details: expect.stringMatching(`^Retry after ${seconds} seconds?\\.$`),
    });
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'));
    expect(left(refused)).toEqual(['5', '0']);
    expect(left(await write())).toEqual(['3', '2']);
  });

  it('count reads of a calendar per link and per address', async () => {
    const { rest } = await newPractice();
    const linkPath = async (): Promise<string> => {
      const { json } = await rest('rpc/create_calendar_link', { method: 'POST', body: {} });
      return new URL((json as { url: string }).url).pathname;
    };
    const [path, other] = [await linkPath(), await linkPath()];
    const statusFrom = async (address: number, of: string): Promise<number> => {
      const headers = { apikey: '', 'x-forwarded-for': `198.51.100.${address}` };
      return (await ask(of, { headers })).status;
    };
    const statuses: number[] = [];
    for (const address of [1, 2, 3, 4, 5, 6]) statuses.push(await statusFrom(address, path));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    for (let reads = 1; reads < 5; reads += 1) expect(await statusFrom(1, other)).toBe(200);
    expect([await statusFrom(1, other), await statusFrom(7, other)]).toEqual([429, 200]);
  });

  it('are counted per user', async () => {
    const [a, b] = [await newPractice(), await newPractice()];
    for (let reads = 0; reads < 6; reads += 1) await a.rest('appointments', { origin: gateway.origin });
    expect((await a.rest('appointments', { origin: gateway.origin })).status).toBe(429);
    expect((await b.rest('appointments', { origin: gateway.origin })).status).toBe(200);
  });

  it('are counted for each member of a practice', async () => {
    const { therapistId } = await newPractice();
    const claims = { iss: issuer, role: 'authenticated', aud: 'authenticated', therapist_id: therapistId };
    const [a, b] = [randomUUID(), randomUUID()].map((sub) =>
      jwt.sign({ ...claims, sub, role_in_practice: 'therapist' }, secret, { expiresIn: 600 }),
    );
    const read = (token = ''): Promise<number> => readStatus(token, gateway.origin);
    for (let reads = 0; reads < 5; reads += 1) expect(await read(a)).toBe(200);
    expect([await read(a), await read(b)]).toEqual([429, 200]);
  });

  it('also count rejected requests', async () => {
    const { rest } = await newPractice();
    expect(left(await rest('nothing', { origin: gateway.origin }))).toEqual(['5', '4']);
    expect(left(await rest('appointments?bad', { origin: gateway.origin }))).toEqual(['5', '3']);
  });

  it('count account calls per session, so a stolen token cannot keep its owner from signing out', async () => {
    const practice = await newPractice();
    const signOut = (token: string) =>
      ask('/auth/v1/logout?scope=others', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    for (let writes = 0; writes < 4; writes += 1) {
      await practice.rest('nothing', { method: 'POST', body: {}, origin: gateway.origin });
      await signOut(practice.token);
    }
    expect(await signOut(practice.token)).toMatchObject({
      status: 429,
      json: { error_code: 'over_request_rate_limit' },
    });
    const { json } = await signIn(practice);
    expect((await signOut((json as Session).access_token)).status).toBe(204);
    expect((await signOut(practice.token)).status).toBe(403);
  });

  it('count sign-in attempts per address that a trusted proxy reports', async () => {
    const attempt = (address: string) =>
      ask('/auth/v1/token?grant_type=password', {
        method: 'POST',
        body: { email: 'nobody@example.com', password: 'not this one' },
        headers: { 'x-forwarded-for': address },
      });
    for (let attempts = 0; attempts < 4; attempts += 1) expect((await attempt('192.0.2.7')).status).toBe(400);
    const refused = await attempt('192.0.2.7');
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(refused.json).toMatchObject({
      code: 429,
      error_code: 'over_request_rate_limit',
      details: `Retry after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    });
    expect((await attempt('192.0.2.8')).status).toBe(400);
  });

  it('count refreshes of sessions as reads of the address: sign-ins from there do not end sessions', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.17' };
    const attempt = async (grant: string, body: object) =>
      (await ask(`/auth/v1/token?grant_type=${grant}`, { method: 'POST', body, headers })).status;
    for (let attempts = 0; attempts < 4; attempts += 1)
      expect(await attempt('password', { email: 'nobody@example.com', password: 'not this one' })).toBe(400);
    expect(await attempt('password', {})).toBe(429);
    const { refresh_token } = (await signIn(await newPractice())).json as Session;
    expect(await attempt('refresh_token', { refresh_token })).toBe(200);
    for (let attempts = 0; attempts < 4; attempts += 1)
      expect(await attempt('refresh_token', { refresh_token: 'unknown' })).toBe(400);
    expect(await attempt('refresh_token', { refresh_token: 'unknown' })).toBe(429);
  });

  it('count an IPv6 network as one address, and an address with its port as the address', async () => {
    const attempt = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await ask('/auth/v1/token?grant_type=password', { method: 'POST', body: {}, headers })).status;
    };
    const ends = ['1', '2:3:4:5', 'ffff:ffff:ffff:ffff', '9'];
    for (const end of ends)
      expect(await attempt(`2001:db8:7:1:${end.split(':').length < 4 ? ':' : ''}${end}`)).toBe(400);
    expect(await attempt('2001:db8:7:1::77')).toBe(429);
    expect(await attempt('2001:db8:7:2::77')).toBe(400);
    for (const port of [1, 2, 3, 4]) expect(await attempt(`192.0.2.91:${port}`)).toBe(400);
    expect(await attempt('192.0.2.91:5')).toBe(429);
    expect(await attempt('192.0.2.91')).toBe(429);
  });

  it('are also reported on unauthenticated requests', async () => {
    expect(left(await ask('/rest/v1/appointments'))).toEqual(['5', '5']);
    expect(left(await ask('/rest/v1/appointments', { method: 'DELETE', headers: { apikey: 'x' } }))).toEqual([
      '3',
      '3',
    ]);
    expect(left(await ask('/auth/v1/settings'))).toEqual(['5', '5']);
  });

  it('ignore X-Forwarded-For without a trusted proxy', async () => {
    const untrusting = await stack().spawnProcess('gateway', { LIMIT_AUTH_PER_MINUTE: '1' });
    try {
      const attempt = (address: string) =>
        call('/auth/v1/token?grant_type=password', {
          method: 'POST',
          body: {},
          headers: { 'x-forwarded-for': address },
          origin: untrusting.origin,
        });
      expect((await attempt('192.0.2.1')).status).toBe(400);
      expect((await attempt('192.0.2.2')).status).toBe(429);
    } finally {
      await untrusting.stop();
    }
  });

  it('are not reported when switched off', async () => {
    expect(left(await (await newPractice()).rest('appointments'))).toEqual([null, null]);
  });
});
