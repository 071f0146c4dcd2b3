import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Allowance, Allowances, Backlog, Rate, type Receiver } from './allowance.js';
import { practiceLimits } from './limits.js';

describe('a rate', () => {
  it('never gives more than the burst and the amount refilled since', () => {
    const step = fc.record({ after: fc.nat(500), amount: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const rate = new Rate(100, 50, 0);
        let [now, taken] = [0, 0];
        for (const { after, amount } of steps) {
          now += after;
          if (rate.take(amount, now)) taken += amount;
          expect(taken).toBeLessThanOrEqual(50 + now / 10 + 1e-6);
        }
      }),
    );
  });

  it('may be exceeded once, and then refuses until it is refilled', () => {
    const rate = new Rate(100, 50, 0);
    expect([rate.borrow(50, 0), rate.borrow(20, 0)]).toEqual([0, 200]);
    expect([rate.take(1, 200), rate.take(1, 210)]).toEqual([false, true]);
    expect([rate.isFull(600), rate.isFull(10_000)]).toEqual([false, true]);
  });
});

describe('a backlog', () => {
  class Slow implements Receiver {
    waitingBytes = 0;
    isCut = false;

    cut(): void {
      this.isCut = true;
    }
  }

  it('never has more than its bound after a message, regardless of how much clients read', () => {
    const step = fc.record({ client: fc.nat(9), sent: fc.nat(60), read: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const clients = Array.from({ length: 10 }, () => new Slow());
        const backlog = new Backlog(100);
        for (const { client: index, sent, read } of steps) {
          const client = clients[index] as Slow;
          if (client.isCut) continue;
          client.waitingBytes = Math.max(0, client.waitingBytes - read) + sent;
          backlog.note(client);
          const waiting = clients.filter(({ isCut }) => !isCut).map(({ waitingBytes }) => waitingBytes);
          expect(waiting.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  it('cuts the slowest clients, and no client that has read everything', () => {
    const [slow, slower, fast] = [new Slow(), new Slow(), new Slow()];
    const backlog = new Backlog(100);
    for (const client of [slow, slower, fast]) {
      client.waitingBytes = 30;
      backlog.note(client);
    }
    fast.waitingBytes = 0;
    slower.waitingBytes = 80;
    backlog.note(slower);
    expect([slow, slower, fast].map(({ isCut }) => isCut)).toEqual([false, true, false]);
  });
});

describe('an allowance', () => {
  it('limits the number of sockets of each member, and of all members', () => {
    const allowance = new Allowance('practice');
    const { socketsOfMember, sockets } = practiceLimits;
    const ends = Array.from({ length: socketsOfMember }, () => allowance.enter('ada'));
    expect([allowance.hasRoomFor('ada'), allowance.hasRoomFor('bob')]).toEqual([false, true]);
    ends[0]?.();
    expect(allowance.hasRoomFor('ada')).toBe(true);
    for (let index = socketsOfMember; index <= sockets; index += 1) allowance.enter(`member ${index}`);
    expect(allowance.hasRoomFor('bob')).toBe(false);
  });

  it('stays the same for a practice as long as something is in use', () => {
    const allowances = new Allowances();
    const allowance = allowances.ofPractice('a');
    const leave = allowance.enter('ada');
    allowances.sweep(Infinity);
    expect(allowances.ofPractice('a')).toBe(allowance);
    expect(allowances.ofPractice('b')).not.toBe(allowance);
    leave();
    allowances.sweep(performance.now());
    expect(allowances.ofPractice('a')).not.toBe(allowance);
  });
});
