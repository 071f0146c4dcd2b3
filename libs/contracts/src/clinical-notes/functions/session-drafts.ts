import { column, defineFunction, returns } from '@practice/resource';
import { draftedNote, draftTexts } from './draft-columns.js';

export const sessionDrafts = defineFunction({
  name: 'session_drafts',
  service: 'clinical-notes',
  description: 'The drafts of the caller that have something which is not in their notes.',
  arguments: { session_id: column.uuid({ description: 'Only the draft of this note.' }) },
  returns: returns.rows({
    session_id: draftedNote,
    client_id: column.uuid({ required: true, description: 'The client of the note.' }),
    version: column.uuid({ required: true, description: 'The version of the draft.' }),
    note_version: column.integer({
      required: true,
      description:
        'The version of the note when the draft was saved. If the note has a later one, compare both texts.',
    }),
    saved_at: column.timestamp({ required: true }),
    ...draftTexts,
  }),
  effect: 'reads',
  roles: ['owner', 'therapist'],
});
