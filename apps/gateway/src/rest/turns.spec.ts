import { describe, expect, it } from '@jest/globals';
import { Rejection } from '@practice/core';
import { Turns } from './turns.js';

const shares = { capacity: 8, least: 2, mayWait: 3 };

/** Takes turns for a practice; counts how many have had theirs. */
function asker(turns: Turns, practice: string) {
  let begun = 0;
  return {
    ask: (times: number): void => {
      for (let time = 0; time < times; time += 1) {
        const turn = turns.take(practice);
        if (turn === undefined) begun += 1;
        else void turn.then(() => (begun += 1));
      }
    },
    end: async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) turns.done(practice);
      await Promise.resolve();
    },
    begun: () => begun,
  };
}

describe('turns', () => {
  it('are all there is for one who is alone', () => {
    const a = asker(new Turns(shares), 'a');
    a.ask(11);
    expect(a.begun()).toBe(8);
  });

  it('are shared with those who come, and given back when they go', async () => {
    const turns = new Turns(shares);
    const [a, b] = [asker(turns, 'a'), asker(turns, 'b')];
    b.ask(1);
    a.ask(6);
    expect(a.begun()).toBe(4);
    await a.end(1);
    expect(a.begun()).toBe(5);
    await b.end(1);
    await a.end(1);
    expect(a.begun()).toBe(6);
  });

  it('are never fewer than the least, however many are there', () => {
    const turns = new Turns(shares);
    for (let other = 0; other < 50; other += 1) void turns.take(`other ${other}`);
    const a = asker(turns, 'a');
    a.ask(4);
    expect(a.begun()).toBe(2);
  });

  it('come in the order in which they were asked for', async () => {
    const turns = new Turns({ capacity: 1, least: 1, mayWait: 9 });
    const order: number[] = [];
    void turns.take('a');
    for (const which of [1, 2, 3]) void turns.take('a')?.then(() => order.push(which));
    for (let ended = 0; ended < 3; ended += 1) turns.done('a');
    await Promise.resolve();
    expect(order).toEqual([1, 2, 3]);
  });

  it('are refused to who has too many waiting, and to nobody else', () => {
    const turns = new Turns(shares);
    asker(turns, 'a').ask(11);
    expect(() => turns.take('a')).toThrow(Rejection);
    expect(turns.take('b')).toBeUndefined();
  });

  it('leave nothing behind', async () => {
    const turns = new Turns(shares);
    const a = asker(turns, 'a');
    a.ask(11);
    await a.end(11);
    expect(a.begun()).toBe(11);
    expect((turns as unknown as { lines: Map<string, unknown> }).lines.size).toBe(0);
  });
});
