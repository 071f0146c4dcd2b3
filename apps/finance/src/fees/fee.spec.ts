import { describe, expect, it } from '@jest/globals';
import { feeRules, type FeeRule } from '@practice/contracts';
import { recordsOf } from '@practice/testing';
import { feeFor, type Missed } from './fee.js';

const at = (day: number, hour = 0): string =>
  `2026-05-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00+00:00`;
const rule = recordsOf(feeRules, { kind: 'late_cancellation', created_at: at(1) });
const missed = (but: Partial<Missed> = {}): Missed => ({
  ...{ id: 'a', client_id: 'ada', service_id: 'therapy', status: 'cancelled', date: '2026-05-20' },
  ...{ starts_at: at(20, 9), price: '110.00', created_at: at(5) },
  ...but,
});
const cancelled = (when: string, ...rules: readonly Partial<FeeRule>[]) =>
  feeFor(missed(), when, rules.map(rule));

describe('a late cancellation', () => {
  it('is judged by the time of the event', () => {
    expect(cancelled(at(19, 9), {})).toBeNull();
    expect(cancelled(at(19, 10), {})).toBe('110.00');
    expect(cancelled(at(21), {})).toBe('110.00');
  });

  it('costs a share of the price, rounded half to even, or an amount', () => {
    expect(cancelled(at(20), { percent: '33.33' })).toBe('36.66');
    expect(cancelled(at(20), { amount: '25.00' })).toBe('25.00');
    expect(feeFor(missed({ price: null }), at(20), [rule()])).toBeNull();
  });
});

describe('the rule', () => {
  it('is the rule in force at the booking, regardless of later rules', () => {
    const old = { amount: '10.00', ended_at: at(6), status: 'ended' as const };
    const later = { amount: '99.00', created_at: at(6) };
    expect(cancelled(at(20), old, later)).toBe('10.00');
    expect(cancelled(at(20), { ...old, ended_at: at(4) }, later)).toBeNull();
  });

  it('of the service takes precedence over rules for every service', () => {
    const every = { amount: '10.00', created_at: at(2) };
    expect(cancelled(at(20), { amount: '50.00', service_id: 'therapy' }, every)).toBe('50.00');
    expect(cancelled(at(20), { amount: '50.00', service_id: 'couples' }, every)).toBe('10.00');
  });

  it('applies to only one kind of fee', () => {
    expect(feeFor(missed({ status: 'no_show' }), at(20), [rule()])).toBeNull();
    expect(feeFor(missed({ status: 'no_show' }), at(1), [rule({ kind: 'no_show' })])).toBe('110.00');
  });
});
