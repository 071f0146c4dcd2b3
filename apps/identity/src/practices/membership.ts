// The rules of the aggregate `membership`: a person, and the role of that person in the practice.

import { memberships, type Membership } from '@practice/contracts';
import { problemFor, reject, type Problem } from '@practice/core';
import { lookup, deciding } from '@practice/resource';
import type { Changes, Decider, EventOf, LookupContext } from '@practice/resource';

type Memberships = typeof memberships;

/** The maximum number of open invitations of a practice. Each of them sends a mail, which costs another person's time. */
const MAX_INVITATIONS = 50;

/** The commands that callers may send. */
export const membership: Decider<Memberships> = {
  definition: memberships,
  lookups: (command, state) => [
    ...(isInvitation(command) ? [lookup(memberships, 'status', ['invited'])] : []),
    ...(state !== null && isActiveOwner(state) ? [lookup(memberships, 'role', ['owner'])] : []),
  ],
  decide(command, state, context) {
    switch (command.kind) {
      case 'create':
        return invited(command.record, context);
      case 'change':
        return changed(state as Membership, command.changes, context);
      case 'delete':
        requireAnotherOwner(state as Membership, context);
        return [{ type: 'MembershipDeleted', data: {} }];
    }
  },
};

/** The invited person accepts. */
export const joining = deciding(memberships, {
  changed: (changes, state) => {
    if (state?.status !== 'invited') reject(notPossible(state?.status, 'active'));
    const { status = 'active', user_id = null, joined_at = null } = changes;
    return [{ type: 'MembershipAccepted', data: { status, user_id, joined_at } }];
  },
});

/** A member leaves. The caller of this rule has made sure that another owner stays. */
export const leaving = deciding(memberships, {
  changed: () => [{ type: 'MembershipRemoved', data: { status: 'removed' as const } }],
});

/** A person's address changes with the account. */
export const readdressing = deciding(memberships, {
  changed: ({ email }) =>
    email === undefined ? [] : [{ type: 'MembershipDetailsChanged', data: { email } }],
});

const isActiveOwner = ({ role, status }: Pick<Membership, 'role' | 'status'>): boolean =>
  role === 'owner' && status === 'active';

type MembershipCommand = Parameters<(typeof membership)['decide']>[0];

const isInvitation = (command: MembershipCommand): boolean =>
  command.kind === 'create' || (command.kind === 'change' && command.changes.status === 'invited');

function invited(
  record: Extract<MembershipCommand, { kind: 'create' }>['record'],
  context: LookupContext,
): EventOf<Memberships>[] {
  if (record.status !== 'invited') reject(notPossible('new', record.status));
  requireFewInvitations(context);
  return [
    {
      type: 'MembershipCreated',
      data: { ...record, user_id: null, invited_at: context.now, joined_at: null },
    },
  ];
}

function changed(
  state: Membership,
  changes: Changes<Memberships>,
  context: LookupContext,
): EventOf<Memberships>[] {
  const { email, status, role, display_name: displayName } = changes;
  if (email !== undefined) reject(fixedAddress);
  const events: EventOf<Memberships>[] = [];
  if (status === 'active') reject(notPossible(state.status, status));
  if (status === 'invited') {
    if (state.status === 'active') reject(notPossible(state.status, status));
    requireFewInvitations(context);
    const again = { status, user_id: null, invited_at: context.now, joined_at: null };
    events.push({ type: 'MembershipInvitedAgain', data: again });
  }
  if (role !== undefined) events.push({ type: 'MembershipRoleChanged', data: { role } });
  if (status === 'removed') events.push({ type: 'MembershipRemoved', data: { status } });
  if (displayName !== undefined)
    events.push({ type: 'MembershipDetailsChanged', data: { display_name: displayName } });
  if (!isActiveOwner({ ...state, ...changes })) requireAnotherOwner(state, context);
  return events;
}

function requireFewInvitations(context: LookupContext): void {
  if (context.rows(memberships, 'status', 'invited').length >= MAX_INVITATIONS) reject(tooManyInvitations);
}

/** @throws {Rejection} PM009 when the only owner would leave */
function requireAnotherOwner(state: Membership, context: LookupContext): void {
  if (!isActiveOwner(state)) return;
  const others = context
    .rows(memberships, 'role', 'owner')
    .filter((other) => other.id !== state.id && other.status === 'active');
  if (others.length === 0) reject(lastOwner);
}

export const lastOwner: Problem = problemFor('PM009');

const tooManyInvitations = problemFor('PM012', {
  message: `a practice can have at most ${MAX_INVITATIONS} open invitations`,
  hint: 'Delete invitations that are no longer needed.',
});

const fixedAddress = problemFor('428C9', {
  message: 'column "email" can only be updated to the value it has',
  hint: 'Delete the membership and invite the other address.',
});

const notPossible = (from: string | undefined, to: string): Problem =>
  problemFor('PM001', {
    details: `A membership cannot go from ${from ?? 'nothing'} to ${to}.`,
    hint: 'A membership becomes active when the invited person accepts.',
  });
