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
  it('is part of the identity of its session, which keeps its role', () => {
    expect(heard().readerOf(identity)).toEqual({ ...identity, breakGlass });
  });

  it.each<[string, Identity]>([
    ['another session of the same person', { ...identity, sessionId: 'other' }],
    ['a token without a session', { therapistId: 'p', userId: 'u', practiceRole: 'front_desk' }],
    ['the session in another practice', { ...identity, therapistId: 'other' }],
    ['a member with another role meanwhile', { ...identity, practiceRole: 'billing' }],
  ])('is not given to %s', (_, other) => {
    expect(heard().readerOf(other)).toBeUndefined();
  });

  it('that has ended is gone with the next load, which names its session', () => {
    const glass = heard();
    expect(glass.beginLoad()([])).toEqual([access]);
    expect(glass.readerOf(identity)).toBeUndefined();
  });

  it('ends when the member has another role, also if a load is under way that began before', () => {
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

  it('that is announced while a load is under way stays, as the reply may be older', () => {
    const glass = new BrokenGlass();
    const load = glass.beginLoad();
    glass.hear(access);
    expect(load([])).toEqual([]);
    expect(glass.readerOf(identity)).toEqual({ ...identity, breakGlass });
  });

  it('whose announcement was lost is known after a load, once', () => {
    const glass = new BrokenGlass();
    expect(glass.beginLoad()([access])).toEqual([access]);
    expect(glass.beginLoad()([access])).toEqual([]);
    const next = { ...access, id: 'h' };
    expect(glass.beginLoad()([next])).toEqual([next]);
  });
});
