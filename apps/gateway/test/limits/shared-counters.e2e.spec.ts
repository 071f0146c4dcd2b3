// Several gateways that share their counters: together they allow as much as one gateway.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, logOf, newPractice, redis, stack } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';

type Gateway = Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;

let store: Awaited<ReturnType<typeof redis>>;
let gateways: Gateway[];

beforeAll(async () => {
  store = await redis();
  const settings = {
    REDIS_URL: store.url,
    LIMIT_READS_PER_MINUTE: '6',
    LIMIT_WRITES_PER_MINUTE: '4',
    LIMIT_AUTH_PER_MINUTE: '100',
    TRUSTED_PROXIES: '127.0.0.0/8',
  };
  gateways = await Promise.all([1, 2].map(() => stack().spawnProcess('gateway', settings)));
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await store.stop();
});

const gateway = (index: number): Gateway => gateways[index % 2] as Gateway;
const readBy = ({ rest }: Practice, index: number): Promise<Answer> =>
  rest('appointments', { origin: gateway(index).origin });
const left = ({ headers }: Answer): string | null => headers.get('ratelimit-remaining');

/** Waits until each gateway has logged more often than this that it shares its counters. */
const shared = (times: number): Promise<unknown> =>
  eventually('both gateways share', () =>
    gateways.every((one) => logOf(one.name).split('"limits are shared"').length > times),
  );

describe('two gateways with one store', () => {
  beforeAll(() => shared(1));

  it('allow a user together as many requests as one gateway', async () => {
    const practice = await newPractice();
    const answers: Answer[] = [];
    for (let reads = 0; reads < 8; reads += 1) answers.push(await readBy(practice, reads));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect(answers.map(left)).toEqual(['5', '4', '3', '2', '1', '0', '0', '0']);
    expect(Number(answers[7]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('also keep the limit for simultaneous requests', async () => {
    const { rest } = await newPractice();
    const writes = Array.from({ length: 20 }, (_, index) =>
      rest('expenses', {
        method: 'POST',
        origin: gateway(index).origin,
        body: { date: '2026-01-05', amount: 1 },
      }),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(16);
  });

  it('count failed sign-ins of an address and an account together', async () => {
    const attempt = (index: number): Promise<Answer> =>
      call('/auth/v1/token?grant_type=password', {
        method: 'POST',
        body: { email: 'shared@example.com', password: 'not this one' },
        headers: { 'x-forwarded-for': '192.0.2.77' },
        origin: gateway(index).origin,
      });
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) statuses.push((await attempt(index)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  });
});

describe('while the store', () => {
  it('does not respond, each gateway counts its own requests and logs it', async () => {
    const practice = await newPractice();
    await readBy(practice, 0);
    store.pause();
    try {
      const answers = [await readBy(practice, 0), await readBy(practice, 0), await readBy(practice, 1)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(answers.map(left)).toEqual(['5', '4', '5']);
      await eventually('it is logged', () => logOf(gateway(0).name).includes('limits are not shared'));
    } finally {
      store.resume();
    }
  });

  it('is unavailable, each gateway counts its own requests, and shares again afterwards', async () => {
    await store.stop();
    const practice = await newPractice();
    const answers: Answer[] = [];
    for (let reads = 0; reads < 7; reads += 1) answers.push(await readBy(practice, 1));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(left(await readBy(practice, 0))).toBe('5');

    store = await redis(store.port);
    await shared(2);
    const again = await newPractice();
    expect(left(await readBy(again, 0))).toBe('5');
    expect(left(await readBy(again, 1))).toBe('4');
    expect(logOf(gateway(1).name)).toMatch(/"countedLocally":[1-9]\d*.*"limits are shared"/);
  });
});
