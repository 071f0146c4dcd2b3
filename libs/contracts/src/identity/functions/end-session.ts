import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';
import { recentProof } from './recent-proof.js';

export const endSession = defineFunction({
  name: 'end_session',
  service: 'identity',
  description:
    'Ends one session of the caller, for example on a lost device. Its tokens are refused at once. Another session requires a recent sign-in or a proof.',
  arguments: {
    session_id: column.uuid({ required: true, description: 'The `id` of `open_sessions`.' }),
    current_password: {
      ...recentProof.current_password,
      description:
        'Required, or `nonce`, for another session, unless the caller has signed in within the last minutes.',
    },
    nonce: recentProof.nonce,
  },
  returns: returns.nothing,
  effect: 'writes',
  roles: practiceRoles,
  needsSession: true,
  whenClosed: 'allowed',
});
