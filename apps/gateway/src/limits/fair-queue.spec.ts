import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { FairQueue, RecentlyActive } from './fair-queue.js';

const shares = { capacity: 8, least: 2, idleBelow: 0, mayWait: 3 };

/** Sends requests of a practice and counts how many have started. */
function asker(queue: FairQueue, practice: string) {
  let begun = 0;
  return {
    ask: (times: number): void => {
      for (let time = 0; time < times; time += 1) {
        const turn = queue.take(practice);
        if (turn === undefined) begun += 1;
        else void turn.then(() => (begun += 1));
      }
    },
    end: async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) queue.done(practice);
      await Promise.resolve();
    },
    begun: () => begun,
  };
}

describe('fair queue', () => {
  it('gives the whole capacity to a practice that is the only active one', () => {
    const a = asker(new FairQueue(shares), 'a');
    a.ask(11);
    expect(a.begun()).toBe(8);
  });

  it('divides the capacity among active practices, and takes a share back a while after its practice became idle', async () => {
    let now = 0;
    const queue = new FairQueue(shares, new RecentlyActive(() => now));
    const [a, b] = [asker(queue, 'a'), asker(queue, 'b')];
    b.ask(1);
    await b.end(1);
    a.ask(6);
    expect(a.begun()).toBe(4);
    await a.end(1);
    expect(a.begun()).toBe(5);
    now += 2500;
    await a.end(1);
    expect(a.begun()).toBe(6);
  });

  it('lets a practice have more than its share while few requests are running', () => {
    const queue = new FairQueue({ ...shares, idleBelow: 6 });
    for (let other = 0; other < 9; other += 1) {
      void queue.take(`other ${other}`);
      if (other > 0) queue.done(`other ${other}`);
    }
    const a = asker(queue, 'a');
    a.ask(8);
    expect(a.begun()).toBe(5);
  });

  it('never gives a practice less than the minimum', () => {
    const queue = new FairQueue(shares);
    for (let other = 0; other < 50; other += 1) void queue.take(`other ${other}`);
    const a = asker(queue, 'a');
    a.ask(4);
    expect(a.begun()).toBe(2);
  });

  it('starts the requests of a practice in their order of arrival', async () => {
    const queue = new FairQueue({ capacity: 1, least: 1, idleBelow: 0, mayWait: 9 });
    const order: number[] = [];
    void queue.take('a');
    for (const which of [1, 2, 3]) void queue.take('a')?.then(() => order.push(which));
    for (let ended = 0; ended < 3; ended += 1) queue.done('a');
    await Promise.resolve();
    expect(order).toEqual([1, 2, 3]);
  });

  it('refuses the requests of a practice whose queue is full, and no others', () => {
    const queue = new FairQueue(shares);
    asker(queue, 'a').ask(11);
    expect(() => queue.take('a')).toThrow(Rejection);
    expect(queue.take('b')).toBeUndefined();
  });

  it('removes the queue of an idle practice', async () => {
    const queue = new FairQueue(shares);
    const a = asker(queue, 'a');
    a.ask(11);
    await a.end(11);
    expect(a.begun()).toBe(11);
    expect((queue as unknown as { queues: Map<string, unknown> }).queues.size).toBe(0);
  });
});
