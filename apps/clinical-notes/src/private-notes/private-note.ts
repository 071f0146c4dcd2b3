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
  message: 'author_id must be your own user id, or be left out',
  details: 'author_id can only be the caller.',
};
