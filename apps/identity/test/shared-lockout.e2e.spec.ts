// Several identity processes count wrong passwords together. They allow no more attempts than a single process.

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, logOf, newPractice, ownStack, redis, signIn } from '@practice/testing';
import type { OwnStack, Practice } from '@practice/testing';

type Process = Awaited<ReturnType<OwnStack['start']>>;

let store: Awaited<ReturnType<typeof redis>>;
let own: OwnStack;
let identities: Process[];
let gateway: Process;

beforeAll(async () => {
  [store, own] = await Promise.all([redis(), ownStack()]);
  const settings = { REDIS_URL: store.url };
  [gateway, ...identities] = await Promise.all([
    own.start('gateway'),
    own.start('identity', settings),
    own.start('identity', settings),
  ]);
});

afterAll(async () => {
  await own.stop();
  await store.stop();
});

/** How many lines of a process's log have all the texts. */
const linesOf = ({ name }: Process, ...texts: readonly string[]): number =>
  logOf(name, own.dataDir)
    .split('\n')
    .filter((line) => texts.every((text) => line.includes(text))).length;
const attempt = ({ email }: Practice): Promise<number> =>
  signIn({ email, password: 'not this one' }, gateway.origin).then(({ status }) => status);

it('ten wrong passwords lock the account, regardless of the processes that checked them', async () => {
  await eventually('both processes share', () =>
    identities.every((one) => linesOf(one, '"limits are shared"') > 0),
  );
  for (let practices = 0; practices < 3; practices += 1) {
    const practice = await newPractice(gateway.origin);
    const statuses: number[] = [];
    while (statuses.length < 16) statuses.push(await attempt(practice));
    expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(6).fill(429)]);
    expect((await signIn(practice, gateway.origin)).status).toBe(429);
  }
  const checked = await eventually('the checks are in the logs', () => {
    const counts = identities.map((one) => linesOf(one, '"operation":"token"', '"status":400'));
    return counts.reduce((sum, count) => sum + count, 0) === 30 && counts;
  });
  // If one process had checked all of them, the test would prove nothing.
  expect(checked).not.toContain(30);
});
