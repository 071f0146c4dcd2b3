import { column, defineFunction, returns } from '@practice/resource';

export const endMemberSessions = defineFunction({
  name: 'end_member_sessions',
  service: 'identity',
  description:
    'Ends all sessions of a member in this practice, for example after a device was stolen. Their tokens are refused at once. Sessions that left the practice end too while their access tokens for it may be valid. Personal access tokens and sessions in other practices stay.',
  arguments: {
    user_id: column.uuid({ required: true, description: 'A member of the practice.' }),
  },
  returns: returns.object({
    user_id: column.uuid({ required: true, description: 'The member.' }),
    ended: column.integer({ required: true, description: 'The number of sessions that were open.' }),
  }),
  effect: 'writes',
  roles: ['owner'],
  needsSession: true,
  whenClosed: 'allowed',
});
