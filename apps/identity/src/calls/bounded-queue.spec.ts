import { describe, expect, it } from '@jest/globals';
import { BoundedQueue } from './bounded-queue.js';

describe('a queue for each key', () => {
  it('runs work of one key in order, and work of another key at the same time', async () => {
    const queue = new BoundedQueue({ atOnce: 1, mayWait: 100 });
    const done: string[] = [];
    let release = (): void => {};
    const first = queue.run('a', () => new Promise<void>((resolve) => (release = resolve)));
    const rest = ['second', 'third'].map((name) => queue.run('a', async () => void done.push(name)));
    await queue.run('b', async () => void done.push('other key'));
    expect(done).toEqual(['other key']);
    release();
    await Promise.all([first, ...rest]);
    expect(done).toEqual(['other key', 'second', 'third']);
  });

  it('continues after work that fails', async () => {
    const queue = new BoundedQueue({ atOnce: 1, mayWait: 100 });
    const failed = queue.run('a', () => Promise.reject(new Error('failed')));
    const next = queue.run('a', async () => 'next');
    await expect(failed).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });

  it('refuses work of a key if too much work waits', async () => {
    const queue = new BoundedQueue({ atOnce: 1, mayWait: 100 });
    const all = Array.from({ length: 102 }, () => queue.run('a', async () => 'done'));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(101);
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refusals.map(({ reason }) => reason.problem)).toMatchObject([
      { status: 503, headers: { 'Retry-After': '2' } },
    ]);
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });
});
