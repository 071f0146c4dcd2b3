// Several gateways that share their counters: together they allow as much as one gateway.

import { isDeepStrictEqual } from 'node:util';
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

/** How often each gateway has logged that it shares its counters. */
const timesShared = (): number[] =>
  gateways.map((one) => logOf(one.name).split('"limits are shared"').length - 1);

/** Waits until each gateway has logged once more that it shares its counters. */
const shared = (before: readonly number[]): Promise<unknown> =>
  eventually('both gateways share', () =>
    timesShared().every((times, index) => times > (before[index] ?? Number.NaN)),
  );

/**
 * Makes attempts until one has this result, at most five. On a busy machine, the store may answer so late that a gateway counts a request
 * itself. Counters that are never shared, or never separate, do not have the result once.
 */
async function once(result: unknown, attempt: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 1; round < 5; round += 1) if (isDeepStrictEqual(await attempt(round), result)) return;
  expect(await attempt(5)).toEqual(result);
}

describe('two gateways with one store', () => {
  beforeAll(() => shared([0, 0]));

  it('allow a user together as many requests as one gateway', async () => {
    const statuses = [200, 200, 200, 200, 200, 200, 429, 429];
    const remaining = ['5', '4', '3', '2', '1', '0', '0', '0'];
    await once({ statuses, remaining, waits: true }, async () => {
      const practice = await newPractice();
      const answers: Answer[] = [];
      for (let reads = 0; reads < 8; reads += 1) answers.push(await readBy(practice, reads));
      const waits = Number(answers[7]?.headers.get('retry-after')) > 0;
      return { statuses: answers.map(({ status }) => status), remaining: answers.map(left), waits };
    });
  });

  it('also keep the limit for simultaneous requests', async () => {
    await once([...Array<number>(4).fill(201), ...Array<number>(16).fill(429)], async () => {
      const { rest } = await newPractice();
      const body = { date: '2026-01-05', amount: 1 };
      const writes = Array.from({ length: 20 }, (_, index) =>
        rest('expenses', { method: 'POST', origin: gateway(index).origin, body }),
      );
      return (await Promise.all(writes)).map(({ status }) => status).sort((one, other) => one - other);
    });
  });

  it('count failed sign-ins of an address and an account together', async () => {
    await once([...Array<number>(10).fill(400), 429], async (round) => {
      const attempt = (index: number): Promise<Answer> =>
        call('/auth/v1/token?grant_type=password', {
          method: 'POST',
          body: { email: `shared${round}@example.com`, password: 'not this one' },
          headers: { 'x-forwarded-for': `192.0.2.${70 + round}` },
          origin: gateway(index).origin,
        });
      const statuses: number[] = [];
      for (let index = 0; index < 11; index += 1) statuses.push((await attempt(index)).status);
      return statuses;
    });
  });
});

describe('while the store', () => {
  it('does not respond, each gateway counts its own requests and logs it', async () => {
    const practices = await Promise.all(Array.from({ length: 5 }, () => newPractice()));
    for (const practice of practices) await readBy(practice, 0);
    store.pause();
    try {
      await once({ statuses: [200, 200, 200], remaining: ['5', '4', '5'] }, async (round) => {
        const practice = practices[round - 1] as Practice;
        const answers = [await readBy(practice, 0), await readBy(practice, 0), await readBy(practice, 1)];
        return { statuses: answers.map(({ status }) => status), remaining: answers.map(left) };
      });
      await eventually('it is logged', () => logOf(gateway(0).name).includes('limits are not shared'));
    } finally {
      store.resume();
    }
  });

  it('is unavailable, each gateway counts its own requests, and shares again afterwards', async () => {
    await store.stop();
    const before = timesShared();
    const practice = await newPractice();
    const answers: Answer[] = [];
    for (let reads = 0; reads < 7; reads += 1) answers.push(await readBy(practice, 1));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(left(await readBy(practice, 0))).toBe('5');

    store = await redis(store.port);
    await shared(before);
    await once(['5', '4'], async () => {
      const again = await newPractice();
      return [left(await readBy(again, 0)), left(await readBy(again, 1))];
    });
    expect(logOf(gateway(1).name)).toMatch(/"countedLocally":[1-9]\d*.*"limits are shared"/);
  });
});
