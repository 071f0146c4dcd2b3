import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const revokeToken = defineFunction({
  name: 'revoke_token',
  service: 'identity',
  description: 'Ends a personal access token of the caller at once, as `DELETE /auth/v1/tokens/{id}` does.',
  arguments: { id: column.uuid({ required: true, description: 'The `id` of `my_tokens`.' }) },
  returns: returns.nothing,
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
