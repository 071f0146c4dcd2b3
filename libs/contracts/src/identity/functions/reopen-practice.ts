import { column, defineFunction, returns } from '@practice/resource';

export const reopenPractice = defineFunction({
  name: 'reopen_practice',
  service: 'identity',
  description:
    'Opens a closed practice again, until it is erased. An open practice stays as it is. The owners get a mail.',
  arguments: {},
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
    reopened: column.boolean({ required: true, description: 'Whether the practice was closed.' }),
  }),
  effect: 'writes',
  roles: ['owner'],
  needsSession: true,
  whenClosed: 'allowed',
});
