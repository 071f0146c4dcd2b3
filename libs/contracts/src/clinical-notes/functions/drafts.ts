import { column, defineFunction, returns } from '@practice/resource';
import { sessions } from '../sessions.js';

const { subjective, objective, assessment, plan, sections } = sessions.columns;

const draftTexts = { subjective, objective, assessment, plan, sections } as const;

const draftedNote = column.uuid({ required: true, description: 'The note.' });

const draftVersion = column.uuid({
  description:
    'The version of the draft that the caller has seen; null without one. 412 `PM006` for another one.',
});

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

export const discardDraft = defineFunction({
  name: 'discard_draft',
  service: 'clinical-notes',
  description: 'Deletes the draft that the caller has of a note.',
  arguments: { session_id: draftedNote, version: draftVersion },
  returns: returns.nothing,
  effect: 'writes',
  roles: ['owner', 'therapist'],
});
