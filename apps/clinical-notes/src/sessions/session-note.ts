// The rules of a session note: its template or format defines its sections. The definition of the resource locks signed notes.

import { sessions } from '@practice/contracts';
import { deciderOf, sets, type Command } from '@practice/resource';
import { checkSections, sectionLookups } from './sections.js';

export const sessionNote = deciderOf(sessions, {
  /** Only `signing` changes the status. */
  choice: { status: () => 'SessionNoteRestored' },

  lookups: (next, command) => (setsSections(command) ? sectionLookups(next) : []),

  check(next, context, command) {
    if (setsSections(command)) checkSections(next, context);
  },
});

const setsSections = (command: Command<typeof sessions>): boolean =>
  sets(command, ['sections', 'format', 'template_id']);
