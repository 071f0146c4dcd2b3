import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const myPractices = defineFunction({
  name: 'my_practices',
  service: 'identity',
  description: 'The practices that the caller is a member of.',
  arguments: {},
  returns: returns.rows({
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
    name: column.text({ description: 'Its name. Null while the access is on hold.' }),
    role: column.text({ required: true, oneOf: practiceRoles, description: 'The role in the practice.' }),
    is_held: column.boolean({
      required: true,
      description:
        'Whether `switch_practice` needs a mailed code or a recovery code after a factor reset elsewhere.',
    }),
    is_current: column.boolean({ required: true, description: 'Whether the caller acts in it now.' }),
  }),
  effect: 'reads',
  roles: practiceRoles,
  needsSession: true,
});
