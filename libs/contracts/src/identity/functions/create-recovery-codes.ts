import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { recentProof } from './recent-proof.js';

export const createRecoveryCodes = defineFunction({
  name: 'create_recovery_codes',
  service: 'identity',
  description:
    'Creates ten recovery codes. Each replaces an authenticator app’s code once. Earlier codes become invalid. Only this response contains them.',
  arguments: recentProof,
  returns: returns.rows({
    code: column.text({ required: true, confidential: true, description: 'A recovery code.' }),
  }),
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
