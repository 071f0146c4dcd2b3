import { describe, expect, it } from '@jest/globals';
import { RecentlyActive } from './fair-queue.js';

function counter() {
  let now = 5000;
  const active = new RecentlyActive(() => now);
  return { active, pass: (ms: number) => (now += ms) };
}

describe('recently active practices', () => {
  it('are counted once, however many requests they send', () => {
    const { active } = counter();
    for (const practice of ['a', 'b', 'a', 'a']) active.add(practice);
    expect(active.count).toBe(2);
  });

  it('count for at least a second', () => {
    const { active, pass } = counter();
    pass(999);
    active.add('a');
    active.add('b');
    pass(1000);
    active.add('a');
    expect(active.count).toBe(2);
  });

  it('no longer count two seconds after their last request', () => {
    const { active, pass } = counter();
    active.add('a');
    active.add('b');
    pass(2000);
    active.add('a');
    expect(active.count).toBe(1);
    pass(5000);
    expect(active.count).toBe(0);
  });
});
