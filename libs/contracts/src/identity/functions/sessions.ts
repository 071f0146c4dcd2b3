import { column, defineFunction, returns } from '@practice/resource';
import { forMembers, forOwners, shownToMembers } from './callers.js';
import { recentProof } from './recent-proof.js';

export const openSessions = defineFunction({
  name: 'open_sessions',
  ...shownToMembers,
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
});

export const endSession = defineFunction({
  name: 'end_session',
  ...forMembers,
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
});

export const endMemberSessions = defineFunction({
  name: 'end_member_sessions',
  ...forOwners,
  description:
    'Ends all sessions of a member in this practice, for example after a device was stolen. Their tokens are refused at once. Sessions that left the practice end too while their access tokens for it may be valid. Personal access tokens and sessions in other practices stay.',
  arguments: {
    user_id: column.uuid({ required: true, description: 'A member of the practice.' }),
  },
  returns: returns.object({
    user_id: column.uuid({ required: true, description: 'The member.' }),
    ended: column.integer({ required: true, description: 'The number of sessions that were open.' }),
  }),
});
