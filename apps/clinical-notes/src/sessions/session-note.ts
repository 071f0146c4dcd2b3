// The rules of a session note: its template or format defines its sections. The definition of the resource locks signed notes.

import { sessions } from '@practice/contracts';
import { reject } from '@practice/core';
import { brokenCheck, deciderOf, sets, type Command } from '@practice/resource';
import { checkSections, sectionLookups } from './sections.js';

export const sessionNote = deciderOf(sessions, {
  /** Only `signing` changes the status. */
  choice: { status: () => 'SessionNoteRestored' },

  lookups: (next, command) => (setsSections(command) ? sectionLookups(next) : []),

  check(next, context, command) {
    if (setsSections(command)) checkSections(next, context);
    const { author_id: author, needs_cosign_by: cosigner } = next;
    if (sets(command, ['needs_cosign_by']) && cosigner !== null && cosigner === author) reject(ownNote);
  },
});

const ownNote = brokenCheck('needs_cosign_by: the author of a note does not co-sign it.');

const setsSections = (command: Command<typeof sessions>): boolean =>
  sets(command, ['sections', 'format', 'template_id']);
