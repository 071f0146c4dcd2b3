import { describe, expect, it } from '@jest/globals';
import { asReader, type Identity } from './identity.js';

const until = Date.parse('2030-01-07T09:00:00Z');
const own: Identity = { therapistId: 'p', userId: 'u', practiceRole: 'front_desk', sessionId: 's' };
const stated: Identity = { ...own, breakGlass: { id: 'g', until } };

describe('the identity with which a caller reads', () => {
  it('uses the member’s own role without break-glass access', () => {
    expect(asReader(own, until)).toBe(own);
  });

  it('has the role of a therapist until the access ends, and names the access', () => {
    expect(asReader(stated, until - 1)).toEqual({ ...stated, practiceRole: 'therapist' });
  });

  it('uses the member’s own role after break-glass access expires', () => {
    expect(asReader(stated, until)).toEqual(own);
  });
});
