import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createKeyedQueue } from './keyed-queue.js';

interface Item {
  readonly key: string;
  readonly number: number;
  /** How many times the item fails before it succeeds. */
  readonly failures: number;
}

const item = fc.record({ key: fc.constantFrom('a', 'b', 'c'), failures: fc.nat(2) });
const items = fc
  .array(item, { maxLength: 30 })
  .map((list) => list.map((one, number): Item => ({ ...one, number })));

async function settled(isDone: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 5_000; !isDone() && Date.now() < deadline;) await turn();
}

describe('a keyed queue', () => {
  it('keeps the order of each key when jobs fail, loses no job and repeats no job that succeeded', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 4 }), async (given, concurrency) => {
        const done: Item[] = [];
        const tries = new Map<Item, number>();
        let working = 0;
        const queue = createKeyedQueue<Item>({
          concurrency,
          work: async (one) => {
            expect(++working).toBeLessThanOrEqual(concurrency);
            await turn();
            working--;
            const tried = (tries.get(one) ?? 0) + 1;
            tries.set(one, tried);
            if (tried <= one.failures) throw new Error('not yet');
            done.push(one);
          },
          failed: () => ({ retryInMs: 0 }),
        });
        given.forEach((one) => queue.add(one.key, one));
        await settled(() => done.length === given.length);
        for (const key of ['a', 'b', 'c']) {
          expect(done.filter((one) => one.key === key)).toEqual(given.filter((one) => one.key === key));
        }
        await queue.stop();
      }),
      { numRuns: 40 },
    );
  });

  it('goes on with other keys while one fails', async () => {
    const done: string[] = [];
    const queue = createKeyedQueue<string>({
      concurrency: 1,
      work: async (one) => {
        if (one.startsWith('bad')) throw new Error('no');
        done.push(one);
      },
      failed: () => ({ retryInMs: 60_000 }),
    });
    queue.add('a', 'bad 1');
    queue.add('a', 'good, but behind');
    queue.add('b', 'good');
    await settled(() => done.length === 1);
    expect(done).toEqual(['good']);
    await queue.stop();
  });

  it('handles jobs in batches if possible, runs the rest one by one, and keeps the order of each key', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (given, limit, breaks) => {
        const done: Item[] = [];
        const errors: unknown[] = [];
        let attempts = 0;
        const queue = createKeyedQueue<Item>({
          concurrency: 2,
          work: async (one) => {
            await turn();
            done.push(one);
          },
          batch: {
            limit,
            everyMs: 0,
            work: async (some) => {
              expect(some.length).toBeLessThanOrEqual(limit);
              await turn();
              if (attempts++ % 2 === 0 && breaks) throw new Error('not now');
              const left = new Set<string>();
              return some.map((one) => {
                if (one.failures > 0) left.add(one.key);
                if (!left.has(one.key)) done.push(one);
                return !left.has(one.key);
              });
            },
            failed: (error) => errors.push(error),
          },
          failed: () => ({ retryInMs: 0 }),
        });
        given.forEach((one) => queue.add(one.key, one));
        await settled(() => done.length === given.length);
        expect(errors.length).toBe(breaks ? Math.ceil(attempts / 2) : 0);
        for (const key of ['a', 'b', 'c']) {
          expect(done.filter((one) => one.key === key)).toEqual(given.filter((one) => one.key === key));
        }
        await queue.stop();
      }),
      { numRuns: 40 },
    );
  });

  it('tries batches less often while they do no jobs, and more often once one does', async () => {
    const tried: number[] = [];
    const done: number[] = [];
    const queue = createKeyedQueue<number>({
      concurrency: 2,
      work: async (one) => {
        await turn();
        done.push(one);
      },
      batch: {
        limit: 250,
        everyMs: 0,
        work: async (some) => {
          tried.push(some.length);
          await turn();
          const first = some.findIndex((one) => one < 200);
          const taken = some.slice(0, first === -1 ? some.length : first);
          done.push(...taken);
          return some.map((_, index) => index < taken.length);
        },
        failed: () => undefined,
      },
      failed: () => ({ retryInMs: 0 }),
    });
    const given = Array.from({ length: 300 }, (_, index) => index);
    given.forEach((one) => queue.add('a', one));
    await settled(() => done.length === given.length);
    expect(done).toEqual(given);
    expect(tried.length).toBeLessThan(12);
    expect(tried.at(-1)).toBeGreaterThan(30);
    await queue.stop();
  });

  it('finishes the running jobs and no others when it is stopped', async () => {
    const done: number[] = [];
    let finish: () => void = () => {};
    const queue = createKeyedQueue<number>({
      concurrency: 2,
      work: async (one) => {
        await new Promise<void>((resolve) => (finish = resolve));
        done.push(one);
      },
      failed: () => ({ retryInMs: 0 }),
    });
    queue.add('a', 1);
    queue.add('a', 2);
    const stopping = queue.stop();
    finish();
    await stopping;
    expect(done).toEqual([1]);
  });

  it('continues after a job that is given up, and counts the failures of the next one from zero', async () => {
    const failures: [string, number][] = [];
    const done: string[] = [];
    const queue = createKeyedQueue<string>({
      concurrency: 2,
      work: async (one) => {
        if (one.startsWith('bad')) throw new Error('no');
        done.push(one);
      },
      failed: async (one, count) => {
        failures.push([one, count]);
        await turn();
        return count === 3 ? 'give up' : { retryInMs: 0 };
      },
    });
    for (const one of ['bad 1', 'good 1', 'bad 2', 'good 2']) queue.add('a', one);
    await settled(() => done.length === 2);
    expect(done).toEqual(['good 1', 'good 2']);
    expect(failures).toEqual(['bad 1', 'bad 2'].flatMap((one) => [1, 2, 3].map((count) => [one, count])));
    await queue.stop();
  });
});
