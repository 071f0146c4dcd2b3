import { practiceRoles } from '@practice/core';

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
