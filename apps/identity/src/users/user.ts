// The rules of the aggregates `user` and `practice`: a person who signs in, and the practice that the sign-up opened. Neither
// is ever deleted.

import { practices, users } from '@practice/contracts';
import { changedEvents } from '@practice/resource';
import type { Decider } from '@practice/resource';

export const user: Decider<typeof users> = {
  definition: users,
  lookups: () => [],
  decide(command) {
    if (command.kind === 'create') return [{ type: 'UserRegistered', data: command.record }];
    if (command.kind === 'change') return changedEvents(users, command.changes);
    throw new Error(`users do not support ${command.kind}`);
  },
};

export const practice: Decider<typeof practices> = {
  definition: practices,
  lookups: () => [],
  decide(command) {
    if (command.kind === 'create') return [{ type: 'PracticeOpened', data: command.record }];
    if (command.kind === 'change') return changedEvents(practices, command.changes);
    throw new Error(`practices do not support ${command.kind}`);
  },
};
