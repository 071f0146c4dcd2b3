import { practiceRoles } from '@practice/core';
import { column, defineFunction, returns } from '@practice/resource';

export const openSessions = defineFunction({
  name: 'open_sessions',
  service: 'identity',
  description: 'The sessions in which the caller is signed in, the newest first.',
  arguments: {},
  returns: returns.rows({
    id: column.uuid({ required: true }),
    method: column.text({
      required: true,
      oneOf: ['password', 'otp', 'passkey'],
      description: 'How the user signed in.',
    }),
    created_at: column.timestamp({ required: true, description: 'Time of the sign-in.' }),
    is_current: column.boolean({ required: true, description: 'Whether it is the session of this call.' }),
  }),
  effect: 'reads',
  roles: practiceRoles,
  needsSession: true,
});
