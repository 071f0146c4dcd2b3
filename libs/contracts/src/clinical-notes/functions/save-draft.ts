import { column, defineFunction, returns } from '@practice/resource';
import { draftedNote, draftTexts, draftVersion } from './draft-columns.js';

export const saveDraft = defineFunction({
  name: 'save_draft',
  service: 'clinical-notes',
  description:
    'Saves what the caller is typing in a note, without an event: call it every few seconds. There is one draft for each note and author. It is sealed, is no part of the log, and disappears once the note is saved or signed with its texts.',
  arguments: { session_id: draftedNote, version: draftVersion, ...draftTexts },
  returns: returns.object({
    session_id: draftedNote,
    version: column.uuid({ required: true, description: 'The version of the saved draft.' }),
    note_version: column.integer({ required: true, description: 'The version of the note at that time.' }),
    saved_at: column.timestamp({ required: true }),
  }),
  effect: 'writes',
  roles: ['owner', 'therapist'],
});
