import { describe, expect, it } from '@jest/globals';
import { wholeEntry } from './frame.js';
import { createFrameQueue } from './frame-queue.js';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function recorded(limit = 1_000, mayWait: () => boolean = () => false) {
  const sent: { to: string; ids: number[]; size: number }[] = [];
  const queue = createFrameQueue({
    limit,
    mayWait,
    send: (to, { entries, size }) => void sent.push({ to, ids: entries.map(({ id }) => id), size }),
  });
  return { sent, queue };
}

describe('the queue of a tick', () => {
  it('sends one frame to each receiver at the end of the tick', async () => {
    const { sent, queue } = recorded();
    queue.add('a', wholeEntry(1, '{}', ''));
    queue.add('b', wholeEntry(2, '{}', ''));
    await Promise.resolve();
    queue.add('a', wholeEntry(3, '{}', ''));
    expect(sent).toEqual([]);
    await tick();
    expect(sent).toEqual([
      { to: 'a', ids: [1, 3], size: 30 },
      { to: 'b', ids: [2], size: 15 },
    ]);
  });

  it('starts a new frame before a frame would exceed the limit, and keeps the order', async () => {
    const { sent, queue } = recorded(40);
    for (const id of [1, 2, 3, 4, 5]) queue.add('a', wholeEntry(id, '{}', ''));
    await tick();
    expect(sent.map(({ ids }) => ids)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('sends an entry that is larger than the limit in its own frame', async () => {
    const { sent, queue } = recorded(40);
    queue.add('a', wholeEntry(1, '{}', ''));
    queue.add('a', wholeEntry(2, '{}', 'x'.repeat(100)));
    queue.add('a', wholeEntry(3, '{}', ''));
    await tick();
    expect(sent.map(({ ids }) => ids)).toEqual([[1], [2], [3]]);
  });

  it('sends everything at once on `flush`, and nothing twice', async () => {
    const { sent, queue } = recorded();
    queue.add('a', wholeEntry(1, '{}', ''));
    queue.flush();
    expect(sent).toHaveLength(1);
    await tick();
    expect(sent).toHaveLength(1);
  });

  it('collects deferrable entries until an urgent one or the deadline', async () => {
    let isUnderWay = true;
    const { sent, queue } = recorded(1_000, () => isUnderWay);
    queue.add('a', wholeEntry(1, '{}', ''));
    isUnderWay = false;
    queue.add('a', wholeEntry(2, '{}', ''));
    queue.review();
    await tick();
    expect(sent.map(({ ids }) => ids)).toEqual([[1, 2]]);
  });

  it('sends deferrable entries after their deadline, even without `review`', async () => {
    const { sent, queue } = recorded(1_000, () => true);
    queue.add('a', wholeEntry(1, '{}', ''));
    while (sent.length === 0) await tick();
    queue.add('a', wholeEntry(2, '{}', ''));
    while (sent.length === 1) await tick();
    expect(sent.map(({ ids }) => ids)).toEqual([[1], [2]]);
  });
});
