import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { recentProof } from './recent-proof.js';
import { shownToken } from './shown-token.js';

export const createToken = defineFunction({
  name: 'create_token',
  service: 'identity',
  description:
    'Creates a personal access token for the practice of the caller, as `POST /auth/v1/tokens` does. Only this response contains the token.',
  arguments: {
    name: column.text({ required: true, description: '1 to 100 characters.' }),
    expires_at: column.timestamp({ description: 'Within 365 days. Null: in 90 days.' }),
    scopes: column.texts({
      description:
        'Rights: `clients:read`, `appointments:write`, `*:read`, `rpc:free_slots`. Null: everything that the caller may do.',
    }),
    read_only: column.boolean({ default: false, description: 'True, in place of `scopes`: `*:read`.' }),
    ...recentProof,
  },
  returns: returns.object({
    ...shownToken,
    token: column.text({ required: true, confidential: true, description: 'The token.' }),
  }),
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
});
