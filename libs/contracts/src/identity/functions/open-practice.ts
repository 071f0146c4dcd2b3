import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const openPractice = defineFunction({
  name: 'open_practice',
  service: 'identity',
  description:
    'Opens a practice and makes the caller its owner, for a person who owns none: a sign-up by an invitation opens no practice. To work in it, call `switch_practice` afterwards.',
  arguments: {},
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The new practice.' }),
  }),
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
