import { describe, expect, it } from '@jest/globals';
import type { GlassBroken } from '@practice/contracts';
import { asReader, type Identity } from '@practice/core';
import { BrokenGlass } from './announced-values.js';

const identity: Identity = { therapistId: 'p', userId: 'u', practiceRole: 'front_desk', sessionId: 's' };
const access: GlassBroken = {
  userId: 'u',
  sessionId: 's',
  therapistId: 'p',
  role: 'front_desk',
  id: 'g',
  until: 9,
};
const breakGlass = { id: 'g', until: 9 };

function heard(one: GlassBroken = access): BrokenGlass {
  const glass = new BrokenGlass();
  glass.hear(one);
  return glass;
}

describe('break-glass access', () => {
  it('is added to the identity of its session, whose role does not change', () => {
    expect(heard().readerOf(identity)).toEqual({ ...identity, breakGlass });
  });

  it.each<[string, Identity]>([
    ['another session of the same person', { ...identity, sessionId: 'other' }],
    ['a token without a session', { therapistId: 'p', userId: 'u', practiceRole: 'front_desk' }],
    ['the session in another practice', { ...identity, therapistId: 'other' }],
    ['a member who now has another role', { ...identity, practiceRole: 'billing' }],
  ])('is not given to %s', (_, other) => {
    expect(heard().readerOf(other)).toBeUndefined();
  });

  it('is removed by the next load after it has ended, and the load returns it', () => {
    const glass = heard();
    expect(glass.beginLoad()([])).toEqual([access]);
    expect(glass.readerOf(identity)).toBeUndefined();
  });

  it('ends when the member gets another role, even if a load that began before is still running', () => {
    const glass = heard();
    const load = glass.beginLoad();
    glass.end({ userId: 'other', therapistId: 'p' });
    glass.end({ userId: 'u', therapistId: 'other' });
    expect(glass.readerOf(identity)).toEqual({ ...identity, breakGlass });
    glass.end({ userId: 'u', therapistId: 'p' });
    load([access]);
    expect(asReader(glass.readerOf(identity) ?? identity, 1)).toEqual(identity);
    expect(glass.beginLoad()([])).toHaveLength(1);
    expect(glass.readerOf(identity)).toBeUndefined();
  });

  it('stays if it is announced during a load, since the reply may be older', () => {
    const glass = new BrokenGlass();
    const load = glass.beginLoad();
    glass.hear(access);
    expect(load([])).toEqual([]);
    expect(glass.readerOf(identity)).toEqual({ ...identity, breakGlass });
  });

  it('is learnt from a load if its announcement was lost, and is returned as new only once', () => {
    const glass = new BrokenGlass();
    expect(glass.beginLoad()([access])).toEqual([access]);
    expect(glass.beginLoad()([access])).toEqual([]);
    const next = { ...access, id: 'h' };
    expect(glass.beginLoad()([next])).toEqual([next]);
  });
});
