// The rules of the aggregates `user` and `practice`: a person who signs in, and the practice that the sign-up opened. Neither
// is ever deleted.

import { memberships, practices, users } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { changedEvents, deciding } from '@practice/resource';

export const user = deciding(users, {
  created: (data) => [{ type: 'UserRegistered', data }],
  changed: (changes) => changedEvents(users, changes),
});

export const practice = deciding(practices, {
  created: (data) => [{ type: 'PracticeOpened', data }],
  changed(changes, state, { by }) {
    // Otherwise an owner without a factor would lock everybody out, and a personal token could lower the requirement.
    if (changes.require_mfa !== undefined && by?.aal !== 'aal2') reject(needsSecondFactor);
    // The person who opened an erased practice may still have an account, and its address may change.
    return state?.erased_at == null ? changedEvents(practices, changes, choice) : [];
  },
});

/** The person who opens the practice joins without an invitation. */
export const founding = deciding(memberships, { created: (data) => [{ type: 'MembershipCreated', data }] });

/** The event of each column that several events contain. Callers and accounts cause no other events for these columns. */
const choice = {
  name: () => 'PracticeSettingsChanged' as const,
  email: () => 'PracticeContactChanged' as const,
  closed_at: () => 'PracticeClosed' as const,
  erase_at: () => 'PracticeClosed' as const,
};

const needsSecondFactor = problemFor('insufficient_aal', {
  message: 'only a session that has passed a second factor can change "require_mfa"',
  hint: 'Add an authenticator app with supabase.auth.mfa.enroll, and verify its code in this session first.',
});
