// A private note belongs to the caller who writes it. The definition keeps everybody else away.

import { privateNotes } from '@practice/contracts';
import { reject } from '@practice/core';
import { changedEvents, type Decider } from '@practice/resource';

type PrivateNotes = typeof privateNotes;

export const privateNote: Decider<PrivateNotes> = {
  definition: privateNotes,
  lookups: () => [],
  decide(command, _, { by }) {
    switch (command.kind) {
      case 'create': {
        const { record } = command;
        const author_id = by?.userId ?? reject(onlyForOneself);
        if ((record.author_id ?? author_id) !== author_id) reject(onlyForOneself);
        return [{ type: 'PrivateNoteWritten', data: { ...record, author_id } }];
      }
      case 'change':
        return changedEvents(
          privateNotes,
          command.changes as Partial<typeof command.changes & { author_id: string }>,
        );
      case 'delete':
        return [{ type: 'PrivateNoteDeleted', data: {} }];
    }
  },
};

const onlyForOneself = {
  status: 403,
  code: '42501',
  message: 'new row violates row-level security policy for table "private_notes"',
  details: 'author_id can only be the caller.',
};
