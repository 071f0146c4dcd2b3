import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const openPractice = defineFunction({
  name: 'open_practice',
  service: 'identity',
  description:
    'Opens a practice for a caller who owns none, such as a person who signed up by an invitation. Call `switch_practice` afterwards to work there.',
  arguments: {},
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The new practice.' }),
  }),
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
