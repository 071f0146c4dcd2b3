import { column, defineFunction, returns } from '@practice/resource';
import { practiceRoles } from '@practice/core';
import { forMembers, forOwners, shownToMembers, recentProof } from './callers.js';

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

export const breakGlass = defineFunction({
  name: 'break_glass',
  ...forMembers,
  roles: ['therapist', 'front_desk'],
  description:
    'For emergencies: for 60 minutes, this session also reads all that the role `therapist` reads. Writes stay as they are. Owners are mailed and see the reason in the security events; the access log marks each read of confidential records.',
  arguments: {
    reason: column.text({
      required: true,
      notBlank: true,
      maxLength: 500,
      confidential: true,
      description: 'Why it is necessary. It is kept for good, so do not name a client in it.',
    }),
  },
  example: { reason: 'The therapist is ill, and a client in a crisis has called.' },
  returns: returns.object({
    id: column.uuid({
      required: true,
      description: 'The `id` of the security event, and the `break_glass_id` in the access log.',
    }),
    until: column.timestamp({ required: true, description: 'When the access ends.' }),
  }),
});
