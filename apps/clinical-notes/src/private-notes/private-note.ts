import { privateNotes } from '@practice/contracts';
import { reject } from '@practice/core';
import { deciderOf } from '@practice/resource';

/** A private note belongs to the caller who writes it. The definition keeps everybody else away. */
export const privateNote = deciderOf(privateNotes, {
  given: ['author_id'],
  create({ author_id: author }, { by }) {
    if (by === undefined || (author ?? by.userId) !== by.userId) return reject(onlyForOneself);
    return { author_id: by.userId };
  },
});

const onlyForOneself = {
  status: 403,
  code: '42501',
  message: 'new row violates row-level security policy for table "private_notes"',
  details: 'author_id can only be the caller.',
};
