import { describe, expect, it } from '@jest/globals';
import { memoryCounters } from '@practice/limits';
import { Limits } from './limits.js';
import { Lockout } from './lockout.js';

describe('limits', () => {
  it('count down, and then refuse', async () => {
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

  it('are each caller’s own, and each kind’s', async () => {
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

  it('can be told without being used up', () => {
    const limits = new Limits({ reads: 5, writes: 1, auth: 1 }, memoryCounters());
    expect(limits.untouched('reads')).toMatchObject({ limit: 5, remaining: 5, resetSeconds: 60 });
  });
});

describe('the lock after wrong passwords', () => {
  const attempt = { address: '192.0.2.1', email: 'a@example.com' };

  it('comes with the tenth, for that address and account', async () => {
    const lockout = new Lockout(memoryCounters());
    for (let failures = 0; failures < 9; failures += 1) await lockout.countFailure(attempt);
    expect(await lockout.remainingSeconds(attempt)).toBe(0);
    await lockout.countFailure(attempt);
    expect(await lockout.remainingSeconds(attempt)).toBe(900);
    expect(await lockout.remainingSeconds({ ...attempt, address: '192.0.2.2' })).toBe(0);
    expect(await lockout.remainingSeconds({ ...attempt, email: 'b@example.com' })).toBe(0);
  });

  it('comes for every address with the hundredth from wherever', async () => {
    const lockout = new Lockout(memoryCounters());
    const from = (host: number) => ({ ...attempt, address: `198.51.100.${host}` });
    for (let host = 0; host < 99; host += 1) await lockout.countFailure(from(host));
    expect(await lockout.remainingSeconds(from(200))).toBe(0);
    await lockout.forget(from(0));
    await lockout.countFailure(from(99));
    expect(await lockout.remainingSeconds(from(200))).toBe(900);
    expect(await lockout.remainingSeconds({ ...from(200), email: 'b@example.com' })).toBe(0);
  });

  it('is far again after a right one', async () => {
    const lockout = new Lockout(memoryCounters());
    for (let failures = 0; failures < 9; failures += 1) await lockout.countFailure(attempt);
    await lockout.forget(attempt);
    await lockout.countFailure(attempt);
    expect(await lockout.remainingSeconds(attempt)).toBe(0);
  });
});
