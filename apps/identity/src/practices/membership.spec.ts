import { describe, expect, it } from '@jest/globals';
import { memberships, type Membership } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { evolve, type Changes, type Command, type EventOf, type Row } from '@practice/resource';
import { NOW, recordsOf, specOf } from '@practice/testing';
import fc from 'fast-check';
import { founding } from '../users/user.js';
import { joining, membership } from './membership.js';

type Memberships = typeof memberships;

const dana = '018f0000-0000-7000-8000-00000000000d';
const recordOf = recordsOf(memberships, { email: 'ed@example.com', role: 'front_desk', status: 'invited' });
const { id: first } = recordOf();
const second = '018f0000-0000-7000-8000-0000000000aa';
const invitation = { user_id: null, invited_at: NOW, joined_at: null };

const invited = (values: Partial<Membership> = {}): EventOf<Memberships> => ({
  type: 'MembershipCreated',
  data: recordOf({ ...invitation, ...values }),
});
const accepted: EventOf<Memberships> = {
  type: 'MembershipAccepted',
  data: { status: 'active', user_id: dana, joined_at: NOW },
};
const removed: EventOf<Memberships> = { type: 'MembershipRemoved', data: { status: 'removed' } };
const change = (changes: Changes<Memberships>): Command<Memberships> => ({ kind: 'change', changes });

describe('a membership', () => {
  const given = specOf(membership);
  const owner = [invited({ role: 'owner' }), accepted] as const;
  const anotherOwner = { id: second, role: 'owner', status: 'active' } as const;

  it('begins as an invitation, even if the caller names a person', () => {
    const record = recordOf({ user_id: dana, joined_at: NOW });
    given().when({ kind: 'create', record }).then(invited());
  });

  it.each(['active', 'removed'] as const)('does not begin as %s', (status) => {
    given()
      .when({ kind: 'create', record: recordOf({ status }) })
      .thenRejects('PM001');
  });

  it('is one of at most 50 open invitations', () => {
    const open = Array.from({ length: 50 }, () => ({ status: 'invited' }) as const);
    const record = recordOf();
    given()
      .among(memberships, ...open.slice(1))
      .when({ kind: 'create', record })
      .then(invited());
    given()
      .among(memberships, ...open)
      .when({ kind: 'create', record })
      .thenRejects('PM012');
  });

  it('becomes active for the person who accepts, and never by a change', () => {
    const values = { status: 'active', user_id: dana, joined_at: NOW } as const;
    specOf(joining)(invited()).when(change(values)).then(accepted);
    specOf(joining)(invited(), removed).when(change(values)).thenRejects('PM001');
    given(invited())
      .when(change({ status: 'active' }))
      .thenRejects('PM001');
  });

  it('changes role and name, and keeps its address', () => {
    given(invited(), accepted)
      .when(change({ role: 'billing', display_name: 'Ed' }))
      .then(
        { type: 'MembershipRoleChanged', data: { role: 'billing' } },
        { type: 'MembershipDetailsChanged', data: { display_name: 'Ed' } },
      );
    given(invited())
      .when(change({ email: 'other@example.com' }))
      .thenRejects('428C9');
  });

  it('ends, and the person can be invited again', () => {
    given(invited(), accepted)
      .when(change({ status: 'removed' }))
      .then(removed);
    given(invited(), accepted, removed)
      .when(change({ status: 'invited' }))
      .then({ type: 'MembershipInvitedAgain', data: { status: 'invited', ...invitation } });
    given(invited(), accepted)
      .when(change({ status: 'invited' }))
      .thenRejects('PM001');
  });

  it.each([change({ status: 'removed' }), change({ role: 'therapist' }), { kind: 'delete' } as const])(
    'of the last owner does not end by %j',
    (command) => {
      const record = { id: first, role: 'owner', status: 'active' } as const;
      given(...owner)
        .among(memberships, record)
        .when(command)
        .thenRejects('PM009');
      given(...owner)
        .among(memberships, record, { ...anotherOwner, status: 'invited' })
        .when(command)
        .thenRejects('PM009');
    },
  );

  it('of an owner can end while there is another owner', () => {
    given(...owner)
      .among(memberships, anotherOwner)
      .when({ kind: 'delete' })
      .then({ type: 'MembershipDeleted', data: {} });
  });
});

describe('a practice', () => {
  it('has an owner after any changes of its memberships', () => {
    const ids = [0, 1, 2].map((index) => `018f0000-0000-7000-8000-00000000000${index}`);
    const step = fc.record({
      id: fc.constantFrom(...ids),
      command: fc.constantFrom<Command<Memberships>>(
        change({ role: 'owner' }),
        change({ role: 'therapist' }),
        change({ status: 'removed' }),
        { kind: 'delete' },
      ),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const rows = new Map<string, Membership>();
        for (const [index, id] of ids.entries()) {
          const role = index < 2 ? 'owner' : 'therapist';
          rows.set(id, { ...recordOf(), id, role, status: 'active', user_id: dana, joined_at: NOW });
        }
        for (const { id, command } of steps) apply(rows, id, command);
        const owners = [...rows.values()].filter(
          ({ role, status }) => role === 'owner' && status === 'active',
        );
        expect(owners.length).toBeGreaterThan(0);
      }),
    );
  });

  it('gets its founder as an owner', () => {
    const record = recordOf({ role: 'owner', status: 'active', user_id: dana, joined_at: NOW });
    specOf(founding)().when({ kind: 'create', record }).then({ type: 'MembershipCreated', data: record });
  });
});

/** Applies a command to the memberships. A refused command changes nothing. */
function apply(rows: Map<string, Membership>, id: string, command: Command<Memberships>): void {
  const state = rows.get(id);
  if (state === undefined) return;
  const all = (column: string, value: string) =>
    [...rows.values()].filter((row) => (row as unknown as Row)[column] === value);
  try {
    const context = {
      now: NOW,
      rows: (_definition: object, column: string, value: string) => all(column, value),
    };
    let next: Row | null = state as unknown as Row;
    for (const event of membership.decide(command, state, context as never))
      next = evolve(memberships, next, { ...event, recordedAt: NOW });
    if (next === null) rows.delete(id);
    else rows.set(id, next as unknown as Membership);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
}
