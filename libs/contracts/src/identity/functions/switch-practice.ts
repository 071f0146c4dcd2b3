import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const switchPractice = defineFunction({
  name: 'switch_practice',
  service: 'identity',
  description:
    'Sets the practice that the session acts in. The next refresh gives an access token for it; later sign-ins begin there too.',
  arguments: {
    therapist_id: column.uuid({ required: true, description: 'A practice that the caller is a member of.' }),
  },
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
    role: column.text({ required: true, oneOf: practiceRoles, description: 'The role in the practice.' }),
  }),
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
