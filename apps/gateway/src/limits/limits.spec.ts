import { describe, expect, it } from '@jest/globals';
import { memoryCounters } from '@practice/limits';
import { Limits } from './limits.js';

describe('limits', () => {
  it('count down to zero, and then refuse', async () => {
    const limits = new Limits({ reads: 2, writes: 1, auth: 1 }, memoryCounters());
    expect(await limits.take('reads', 'a')).toEqual({
      kind: 'reads',
      limit: 2,
      remaining: 1,
      resetSeconds: 60,
      isExceeded: false,
    });
    expect(await limits.take('reads', 'a')).toMatchObject({ remaining: 0, isExceeded: false });
    expect(await limits.take('reads', 'a')).toMatchObject({ remaining: 0, isExceeded: true });
  });

  it('are counted for each caller and for each kind of request', async () => {
    const limits = new Limits({ reads: 1, writes: 1, auth: 1 }, memoryCounters());
    await limits.take('reads', 'a');
    expect(await limits.take('reads', 'b')).toMatchObject({ isExceeded: false });
    expect(await limits.take('writes', 'a')).toMatchObject({ isExceeded: false });
    expect(await limits.take('reads', 'a')).toMatchObject({ isExceeded: true });
  });

  it('are off at 0', async () => {
    const limits = new Limits({ reads: 0, writes: 1, auth: 1 }, memoryCounters());
    expect(await limits.take('reads', 'a')).toBeNull();
    expect(limits.untouched('reads')).toBeNull();
  });

  it('can be read without being used', () => {
    const limits = new Limits({ reads: 5, writes: 1, auth: 1 }, memoryCounters());
    expect(limits.untouched('reads')).toMatchObject({ limit: 5, remaining: 5, resetSeconds: 60 });
  });
});
