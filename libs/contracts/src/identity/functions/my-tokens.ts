import { practiceRoles } from '@practice/core';
import { defineFunction, returns } from '@practice/resource';
import { shownToken } from './shown-token.js';

export const myTokens = defineFunction({
  name: 'my_tokens',
  service: 'identity',
  description:
    'The personal access tokens of the caller in all practices, the newest first, as `GET /auth/v1/tokens` lists them.',
  arguments: {},
  returns: returns.rows(shownToken),
  effect: 'reads',
  roles: practiceRoles,
  needsSession: true,
});
