import { practiceRoles, problemFor, type Problem } from '@practice/core';
import { column, resource, type RowOf } from '@practice/resource';

const alreadyMember: Problem = problemFor('23505', {
  message: 'the person already has a membership',
  hint: 'Change the role of the membership. To send an invitation again, delete it and create a new one.',
});

export const memberships = resource({
  name: 'memberships',
  service: 'identity',
  aggregate: 'membership',
  description:
    'People of the practice and their roles. A new membership is an invitation: the address gets a mail with a link.',
  roles: { therapist: 'read', front_desk: 'read', billing: 'read' },
  isUndoable: false,
  columns: {
    user_id: column.uuid({
      readOnly: true,
      description: 'The person, once the invitation is accepted. Set by the server.',
    }),
    email: column.text({
      required: true,
      format: 'email',
      lowerCase: true,
      maxLength: 255,
      description: 'The invited address. It cannot be changed.',
    }),
    display_name: column.text({ maxLength: 320 }),
    role: column.text({ required: true, oneOf: practiceRoles }),
    status: column.text({
      default: 'invited',
      oneOf: ['invited', 'active', 'removed'],
      description: 'Becomes active when the invitation is accepted. Set it to removed to end the membership.',
    }),
    invited_at: column.timestamp({ readOnly: true, description: 'Set by the server.' }),
    joined_at: column.timestamp({ readOnly: true, description: 'Set by the server.' }),
  },
  events: {
    MembershipCreated: 'created',
    MembershipInvitedAgain: ['status', 'user_id', 'invited_at', 'joined_at'],
    MembershipAccepted: ['status', 'user_id', 'joined_at'],
    MembershipRoleChanged: ['role'],
    MembershipRemoved: ['status'],
    MembershipDetailsChanged: ['display_name', 'email'],
    MembershipDeleted: 'deleted',
  },
  uniques: [
    {
      name: 'memberships_email_key',
      columns: ['email'],
      where: { status: ['invited', 'active'] },
      problem: alreadyMember,
    },
    {
      name: 'memberships_user_key',
      columns: ['user_id'],
      where: { status: ['active'] },
      problem: alreadyMember,
    },
  ],
  indexes: [['status'], ['role']],
});

export type Membership = RowOf<typeof memberships>;
