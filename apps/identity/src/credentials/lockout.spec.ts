import { describe, expect, it } from '@jest/globals';
import { memoryCounters } from '@practice/limits';
import { Lockout } from './lockout.js';

describe('the lock after wrong passwords', () => {
  const attempt = { address: '192.0.2.1', email: 'a@example.com' };

  it('locks that address and account after the tenth failure', async () => {
    const lockout = new Lockout(memoryCounters());
    for (let failures = 0; failures < 9; failures += 1) await lockout.countFailure(attempt);
    expect(await lockout.remainingSeconds(attempt)).toBe(0);
    await lockout.countFailure(attempt);
    expect(await lockout.remainingSeconds(attempt)).toBe(900);
    expect(await lockout.remainingSeconds({ ...attempt, address: '192.0.2.2' })).toBe(0);
    expect(await lockout.remainingSeconds({ ...attempt, email: 'b@example.com' })).toBe(0);
  });

  it('locks every address after the hundredth failure from any address', async () => {
    const lockout = new Lockout(memoryCounters());
    const from = (host: number) => ({ ...attempt, address: `198.51.100.${host}` });
    for (let host = 0; host < 99; host += 1) await lockout.countFailure(from(host));
    expect(await lockout.remainingSeconds(from(200))).toBe(0);
    await lockout.forget(from(0));
    await lockout.countFailure(from(99));
    expect(await lockout.remainingSeconds(from(200))).toBe(900);
    expect(await lockout.remainingSeconds({ ...from(200), email: 'b@example.com' })).toBe(0);
  });

  it('starts again after a successful sign-in', async () => {
    const lockout = new Lockout(memoryCounters());
    for (let failures = 0; failures < 9; failures += 1) await lockout.countFailure(attempt);
    await lockout.forget(attempt);
    await lockout.countFailure(attempt);
    expect(await lockout.remainingSeconds(attempt)).toBe(0);
  });
});
