import { describe, expect, it } from '@jest/globals';
import { ChangedMembers } from './announced-values.js';

const ada = { userId: 'ada', therapistId: 'practice' };
const claimed = { ...ada, practiceRole: 'owner' } as const;

describe('members that have changed', () => {
  it('have the role of the latest announcement, and no identity once they have left', () => {
    const members = new ChangedMembers();
    expect(members.current(claimed)).toBe(claimed);
    members.hear({ ...ada, role: 'billing' });
    expect(members.current(claimed)).toEqual({ ...ada, practiceRole: 'billing' });
    members.hear({ ...ada, role: null });
    expect(members.current(claimed)).toBeUndefined();
  });

  it('are certain after the first announcement, but not after the second', () => {
    const members = new ChangedMembers();
    expect(members.hear({ ...ada, role: 'billing' })).toBe(true);
    expect(members.hear({ ...ada, therapistId: 'another practice', role: 'billing' })).toBe(true);
    expect(members.hear({ ...ada, role: 'therapist' })).toBe(false);
  });

  it('are not certain after an announcement that may be older than the loaded state', () => {
    const members = new ChangedMembers();
    members.beginLoad()([{ ...ada, role: 'therapist' }]);
    expect(members.hear({ ...ada, role: 'billing' })).toBe(false);
    members.beginLoad()([]);
    expect(members.hear({ ...ada, role: 'billing' })).toBe(true);
  });

  it('keep an announcement that arrives during a load', () => {
    const members = new ChangedMembers();
    const loaded = members.beginLoad();
    members.hear({ ...ada, role: null });
    loaded([{ ...ada, role: 'therapist' }]);
    expect(members.current(claimed)).toBeUndefined();
  });
});
