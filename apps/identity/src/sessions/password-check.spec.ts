import { describe, expect, it } from '@jest/globals';
import { memoryCounters } from '@practice/limits';
import { type Attempt, Lockout } from './password-check.js';

describe('the lock after wrong passwords', () => {
  const attempt = { address: '192.0.2.1', email: 'a@example.com' };

  /** Takes attempts at the same time. Returns how many of them are allowed. */
  const allowed = async (lockout: Lockout, one: Attempt, attempts: number): Promise<number> => {
    const taken = await Promise.all(Array.from({ length: attempts }, () => lockout.take(one)));
    return taken.filter(({ seconds }) => seconds === 0).length;
  };

  it('locks the account for one address after the tenth failure', async () => {
    const lockout = new Lockout(memoryCounters());
    expect(await allowed(lockout, attempt, 25)).toBe(10);
    expect(await lockout.take(attempt)).toEqual({ seconds: 900, accountSeconds: 0 });
    expect(await allowed(lockout, { ...attempt, address: '192.0.2.2' }, 1)).toBe(1);
    expect(await allowed(lockout, { ...attempt, email: 'b@example.com' }, 1)).toBe(1);
  });

  it('locks the account for every address after the hundredth failure from any address', async () => {
    const lockout = new Lockout(memoryCounters());
    const from = (host: number) => ({ ...attempt, address: `198.51.100.${host}` });
    const hosts = Array.from({ length: 120 }, (_, host) => from(host));
    const taken = await Promise.all(hosts.map((one) => lockout.take(one)));
    expect(taken.filter(({ accountSeconds }) => accountSeconds === 0)).toHaveLength(100);
    expect(await lockout.take(from(200))).toEqual({ seconds: 0, accountSeconds: 900 });
    expect(await lockout.take({ ...from(201), email: 'b@example.com' })).toMatchObject({ accountSeconds: 0 });
  });

  it('does not count right passwords for the account', async () => {
    const lockout = new Lockout(memoryCounters());
    const from = (host: number) => ({ ...attempt, address: `198.51.100.${host}` });
    for (let host = 0; host < 99; host += 1) await lockout.take(from(host));
    await lockout.take(from(100));
    await lockout.forget(from(100));
    expect(await lockout.take(from(101))).toMatchObject({ accountSeconds: 0 });
    expect(await lockout.take(from(102))).toMatchObject({ accountSeconds: 900 });
  });

  it('counts the failures of a session separately, and for its address too', async () => {
    const lockout = new Lockout(memoryCounters());
    const signedIn = { ...attempt, countedBy: 's' };
    expect(await allowed(lockout, attempt, 11)).toBe(10);
    expect(await allowed(lockout, signedIn, 25)).toBe(10);
    expect(await allowed(lockout, { ...signedIn, countedBy: 't' }, 1)).toBe(1);
    const elsewhere = { ...signedIn, address: '192.0.2.2' };
    expect(await allowed(lockout, { ...elsewhere, countedBy: 'u' }, 6)).toBe(6);
    const { address, email } = elsewhere;
    expect(await allowed(lockout, { address, email }, 10)).toBe(4);
  });

  it('starts again after a successful sign-in', async () => {
    const lockout = new Lockout(memoryCounters());
    expect(await allowed(lockout, attempt, 10)).toBe(10);
    await lockout.forget(attempt);
    expect(await allowed(lockout, attempt, 11)).toBe(10);
  });

  it('does not count attempts that could not be checked', async () => {
    const lockout = new Lockout(memoryCounters());
    const signedIn = { ...attempt, countedBy: 's' };
    for (let attempts = 0; attempts < 20; attempts += 1) {
      await lockout.take(signedIn);
      await lockout.giveBack(signedIn);
    }
    expect(await allowed(lockout, signedIn, 11)).toBe(10);
    expect(await allowed(lockout, attempt, 1)).toBe(0);
  });
});
