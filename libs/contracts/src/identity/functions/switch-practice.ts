import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const switchPractice = defineFunction({
  name: 'switch_practice',
  service: 'identity',
  description:
    'Sets the practice of the session, from the next refresh on, and of later sign-ins. If the access is on hold, `nonce` or `recovery_code` ends the hold.',
  arguments: {
    therapist_id: column.uuid({ required: true, description: 'A practice that the caller is a member of.' }),
    nonce: column.text({ maxLength: 72, confidential: true, description: 'The code of `reauthenticate`.' }),
    recovery_code: column.text({
      maxLength: 72,
      confidential: true,
      description: 'A recovery code from before the second factors were reset.',
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
