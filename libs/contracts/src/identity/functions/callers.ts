import { practiceRoles } from '@practice/core';
import { column } from '@practice/resource';

/** A function that shows the members what is their own. */
export const shownToMembers = {
  service: 'identity',
  effect: 'reads',
  roles: practiceRoles,
  needsSession: true,
} as const;

/** A function with which the members change what is their own, while the practice is open. */
export const whileOpen = { ...shownToMembers, effect: 'writes' } as const;

/** As `whileOpen`, also in a closed practice. */
export const forMembers = { ...whileOpen, whenClosed: 'allowed' } as const;

/** A function with which the owners change the practice. */
export const forOwners = { ...forMembers, roles: ['owner'] } as const;

/** When and from where a token or a link was last used. */
export const lastUse = {
  last_used_at: column.timestamp({ description: 'When it was last used, to about five minutes.' }),
  last_used_address: column.text({
    confidential: true,
    description: 'The network address that it was last used from.',
  }),
} as const;

/** The arguments of functions that require a recent proof that the caller is the owner of the account. */
export const recentProof = {
  current_password: column.text({
    maxLength: 72,
    confidential: true,
    description: 'Required, or `nonce`, unless the caller has signed in within the last minutes.',
  }),
  nonce: column.text({ maxLength: 72, confidential: true, description: 'The code of `reauthenticate`.' }),
} as const;
