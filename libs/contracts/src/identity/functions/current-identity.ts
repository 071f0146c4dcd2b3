import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const currentIdentity = defineFunction({
  name: 'current_identity',
  service: 'identity',
  description:
    'Who the caller is: the user, the practice, the role in it, and the session or the token. A personal access token needs no scope for it.',
  arguments: {},
  returns: returns.object({
    therapist_id: column.uuid({ required: true, description: 'The practice.' }),
    user_id: column.uuid({ required: true, description: 'The person.' }),
    role: column.text({ required: true, oneOf: practiceRoles, description: 'The role in the practice.' }),
    session_id: column.uuid({ description: 'The session, unless the caller has another kind of token.' }),
    token_id: column.uuid({ description: 'The personal access token.' }),
    token_name: column.text({ description: 'The name of the personal access token.' }),
    scopes: column.texts({
      description: 'The scopes of the personal access token. Null: everything that the role may do.',
    }),
  }),
  effect: 'reads',
  roles: practiceRoles,
  needsNoScope: true,
});
