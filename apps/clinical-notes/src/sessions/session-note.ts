// The rules of a session note: its appointment, if it has one, is not another client's, its template or format has its
// sections, and it begins as a draft of its author. The definition locks signed notes.

import { memberships, sessions, type SessionNote } from '@practice/contracts';
import { reject } from '@practice/core';
import { deciderOf, lookup, sets, type Command, type LookupContext } from '@practice/resource';
import { checkSections, sectionLookups } from './sections.js';

/** Only `signing` changes the status. */
const choice = { status: () => 'SessionNoteRestored' as const };

export const sessionNote = deciderOf(sessions, {
  given: ['author_id'],
  choice,

  lookups: (next, command) => [
    ...(setsSections(command) ? sectionLookups(next) : []),
    ...(command.kind === 'create' && next.author_id !== null
      ? [lookup(memberships, 'user_id', [next.author_id])]
      : []),
  ],

  check(next, context, command) {
    if (setsSections(command)) checkSections(next, context);
  },

  create: (record, context, isUndo) => (isUndo ? undefined : { author_id: authorOf(record, context) }),
});

const setsSections = (command: Command<typeof sessions>): boolean =>
  sets(command, ['sections', 'format', 'template_id']);

/** @throws {Rejection} 42501 when another member than an owner names an author, 23503 for an author who is no active member */
function authorOf(
  { author_id: author }: Pick<SessionNote, 'author_id'>,
  context: LookupContext,
): string | null {
  const { by } = context;
  if (by === undefined || author === by.userId) return author;
  if (author === null) return by.userId;
  if (by.practiceRole !== 'owner') reject(notTheAuthor);
  if (!context.rows(memberships, 'user_id', author).some(({ status }) => status === 'active'))
    reject(notAMember(author));
  return author;
}

const notTheAuthor = {
  status: 403,
  code: '42501',
  message: 'permission denied to write a note in the name of another member',
  details: 'Only owners set author_id to another member.',
};

const notAMember = (author: string) => ({
  status: 409,
  code: '23503',
  message: `author_id must be an active member of the practice, not ${author}`,
  details: `Key (author_id)=(${author}) is not present in table "memberships".`,
  hint: 'The author is an active member of the practice.',
});
