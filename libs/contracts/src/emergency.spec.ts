import { describe, expect, it } from '@jest/globals';
import { EMERGENCY_ROLE, reject, type Identity } from '@practice/core';
import { serviceNames } from './catalog.js';
import { inReadingRole, readingRoles, readsAll, rolesIn } from './emergency.js';
import { breakGlass } from './identity/functions/sessions.js';

const own: Identity = { therapistId: 'p', userId: 'u', practiceRole: 'front_desk', sessionId: 's' };
const during: Identity = { ...own, breakGlass: { id: 'g', until: Date.now() + 60_000 } };
const ended: Identity = { ...own, breakGlass: { id: 'g', until: Date.now() - 1 } };

describe('break-glass access', () => {
  it.each(serviceNames)('reads in %s everything that either role reads', (service) => {
    for (const role of breakGlass.roles)
      expect(readsAll(service, role, EMERGENCY_ROLE) || readsAll(service, EMERGENCY_ROLE, role)).toBe(true);
  });

  it('has two roles, and the first role is the one that reads more records of the service', () => {
    expect(rolesIn('finance', during)).toEqual(['front_desk', 'therapist']);
    expect(rolesIn('clinical-notes', during)).toEqual(['therapist', 'front_desk']);
    expect(readingRoles(during)).toEqual(['therapist', 'front_desk']);
  });

  it('plans a request with the other role if the first role may not send it, and with no third role', () => {
    const denied = () => reject({ status: 403, code: '42501', message: 'no' });
    const asked: string[] = [];
    const planned = (role: string): string => (asked.push(role), role === 'front_desk' ? role : denied());
    expect(inReadingRole('clients', during, planned)).toBe('front_desk');
    expect(asked).toEqual(['therapist', 'front_desk']);
    expect(() => inReadingRole('clients', during, denied)).toThrow('42501');
  });

  it('adds no role before it begins and after it has ended', () => {
    for (const identity of [own, ended]) {
      expect(rolesIn('clinical-notes', identity)).toEqual(['front_desk']);
      expect(readingRoles(identity)).toEqual(['front_desk']);
    }
  });
});
