import { practiceRoles } from '@practice/core';
import { column } from '@practice/resource';

/** A function that shows the members what is their own. */
export const shownToMembers = {
  service: 'identity',
  effect: 'reads',
  roles: practiceRoles,
  needsSession: true,
} as const;

/** A function with which the members change what is their own. */
export const forMembers = { ...shownToMembers, effect: 'writes', whenClosed: 'allowed' } as const;

/** A function with which the owners change the practice. */
export const forOwners = { ...forMembers, roles: ['owner'] } as const;

/** The arguments of functions that require a recent proof that the caller is the owner of the account. */
export const recentProof = {
  current_password: column.text({
    maxLength: 72,
    confidential: true,
    description: 'Required, or `nonce`, unless the caller has signed in within the last minutes.',
  }),
  nonce: column.text({ maxLength: 72, confidential: true, description: 'The code of `reauthenticate`.' }),
} as const;
