// The rules of the end of a practice: only the service itself sends these commands, for an owner.

import { memberships, practices } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import type { Decider } from '@practice/resource';
import { closed } from '@practice/write';

type Practices = typeof practices;

/** Closes a practice. `erase_at` is when it will be erased. */
export const closing: Decider<Practices> = {
  definition: practices,
  lookups: () => [],
  decide(command, state) {
    if (command.kind !== 'change') throw new Error(`a practice is not closed by ${command.kind}`);
    if (state?.erase_at != null) reject(closed(state.erase_at));
    const { closed_at = null, erase_at = null } = command.changes as Partial<Times>;
    return [{ type: 'PracticeClosed', data: { closed_at, erase_at } }];
  },
};

/** Opens a closed practice again. */
export const reopening: Decider<Practices> = {
  definition: practices,
  lookups: () => [],
  decide(command, state, { now }) {
    if (command.kind !== 'change') throw new Error(`a practice is not reopened by ${command.kind}`);
    if (state?.erase_at == null) return [];
    if (Date.parse(state.erase_at) <= Date.parse(now)) reject(tooLate(state.erase_at));
    return [{ type: 'PracticeReopened', data: { closed_at: null, erase_at: null } }];
  },
};

/** Marks a closed practice as erased. */
export const erasing: Decider<Practices> = {
  definition: practices,
  lookups: () => [],
  decide(command, state, { now }) {
    if (command.kind !== 'change') throw new Error(`a practice is not erased by ${command.kind}`);
    if (state === null || state.erased_at !== null) return [];
    if (state.closed_at === null) throw new Error('an open practice is closed before it is erased');
    return [{ type: 'PracticeErased', data: { erased_at: now, name: ERASED_NAME, email: ERASED_ADDRESS } }];
  },
};

/** Ends a membership of an erased practice, of any status, and the last owner's too. */
export const dismissing: Decider<typeof memberships> = {
  definition: memberships,
  lookups: () => [],
  decide(command, state) {
    if (command.kind !== 'change') throw new Error(`a membership is not erased by ${command.kind}`);
    const removed = { type: 'MembershipRemoved', data: { status: 'removed' } } as const;
    const blank = { display_name: null, email: ERASED_ADDRESS };
    return [
      ...(state?.status === 'removed' ? [] : [removed]),
      { type: 'MembershipDetailsChanged', data: blank },
    ];
  },
};

const ERASED_NAME = 'Erased practice';

/** `invalid` is no domain of the internet (RFC 2606). */
export const ERASED_ADDRESS = 'erased@erased.invalid';

interface Times {
  readonly closed_at: string;
  readonly erase_at: string;
}

const tooLate = (eraseAt: string): Problem =>
  problemFor('PM017', {
    message: 'the practice is erased, so it cannot be opened again',
    details: `It could be reopened until ${eraseAt}.`,
  });
