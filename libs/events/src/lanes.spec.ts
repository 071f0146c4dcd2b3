import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { createLanes } from './lanes.js';

interface Item {
  readonly lane: string;
  readonly number: number;
  /** How many times it fails before it succeeds. */
  readonly failures: number;
}

const item = fc.record({ lane: fc.constantFrom('a', 'b', 'c'), failures: fc.nat(2) });
const items = fc
  .array(item, { maxLength: 30 })
  .map((list) => list.map((one, number): Item => ({ ...one, number })));

async function settled(isDone: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 5_000; !isDone() && Date.now() < deadline;) await turn();
}

describe('lanes', () => {
  it('keep the order within each, through any failures, and lose and repeat nothing that succeeded', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 4 }), async (given, concurrency) => {
        const done: Item[] = [];
        const tries = new Map<Item, number>();
        let working = 0;
        const lanes = createLanes<Item>({
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
          failed: () => 0,
        });
        given.forEach((one) => lanes.add(one.lane, one));
        await settled(() => done.length === given.length);
        for (const lane of ['a', 'b', 'c']) {
          expect(done.filter((one) => one.lane === lane)).toEqual(given.filter((one) => one.lane === lane));
        }
        await lanes.stop();
      }),
      { numRuns: 40 },
    );
  });

  it('go on beside one that fails', async () => {
    const done: string[] = [];
    const lanes = createLanes<string>({
      concurrency: 1,
      work: async (one) => {
        if (one.startsWith('bad')) throw new Error('no');
        done.push(one);
      },
      failed: () => 60_000,
    });
    lanes.add('a', 'bad 1');
    lanes.add('a', 'good, but behind');
    lanes.add('b', 'good');
    await settled(() => done.length === 1);
    expect(done).toEqual(['good']);
    await lanes.stop();
  });

  it('do together what can be, keep the order within each, and work alone on what was left', async () => {
    await fc.assert(
      fc.asyncProperty(items, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (given, limit, breaks) => {
        const done: Item[] = [];
        const errors: unknown[] = [];
        let attempts = 0;
        const lanes = createLanes<Item>({
          concurrency: 2,
          work: async (one) => {
            await turn();
            done.push(one);
          },
          together: {
            limit,
            everyMs: 0,
            work: async (some) => {
              expect(some.length).toBeLessThanOrEqual(limit);
              await turn();
              if (attempts++ % 2 === 0 && breaks) throw new Error('not now');
              const left = new Set<string>();
              return some.map((one) => {
                if (one.failures > 0) left.add(one.lane);
                if (!left.has(one.lane)) done.push(one);
                return !left.has(one.lane);
              });
            },
            failed: (error) => errors.push(error),
          },
          failed: () => 0,
        });
        given.forEach((one) => lanes.add(one.lane, one));
        await settled(() => done.length === given.length);
        expect(errors.length).toBe(breaks ? Math.ceil(attempts / 2) : 0);
        for (const lane of ['a', 'b', 'c']) {
          expect(done.filter((one) => one.lane === lane)).toEqual(given.filter((one) => one.lane === lane));
        }
        await lanes.stop();
      }),
      { numRuns: 40 },
    );
  });

  it('are tried together less and less where nothing of them can be, and again once something can', async () => {
    const tried: number[] = [];
    const done: number[] = [];
    const lanes = createLanes<number>({
      concurrency: 2,
      work: async (one) => {
        await turn();
        done.push(one);
      },
      together: {
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
      failed: () => 0,
    });
    const given = Array.from({ length: 300 }, (_, index) => index);
    given.forEach((one) => lanes.add('a', one));
    await settled(() => done.length === given.length);
    expect(done).toEqual(given);
    expect(tried.length).toBeLessThan(12);
    expect(tried.at(-1)).toBeGreaterThan(30);
    await lanes.stop();
  });

  it('stop by finishing what is in work and nothing else', async () => {
    const done: number[] = [];
    let finish: () => void = () => {};
    const lanes = createLanes<number>({
      concurrency: 2,
      work: async (one) => {
        await new Promise<void>((resolve) => (finish = resolve));
        done.push(one);
      },
      failed: () => 0,
    });
    lanes.add('a', 1);
    lanes.add('a', 2);
    const stopping = lanes.stop();
    finish();
    await stopping;
    expect(done).toEqual([1]);
  });
});
