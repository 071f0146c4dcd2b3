import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { recentProof } from './recent-proof.js';

export const leavePractice = defineFunction({
  name: 'leave_practice',
  service: 'identity',
  description:
    'Ends the caller’s membership in the practice of the session, with its sessions, personal access tokens and calendar links. The last owner cannot leave (409 `PM009`). The next sign-in begins in another practice of the caller, or in a new one.',
  arguments: recentProof,
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
  }),
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
