import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const acceptInvitation = defineFunction({
  name: 'accept_invitation',
  service: 'identity',
  description:
    'Makes the caller a member of the inviting practice. Call `switch_practice` afterwards to work there.',
  arguments: {
    token: column.text({
      required: true,
      maxLength: 100,
      description: 'From the link in the mail: valid once, for seven days.',
    }),
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
