import { defineFunction, returns } from '@practice/resource';
import { draftedNote, draftVersion } from './draft-columns.js';

export const discardDraft = defineFunction({
  name: 'discard_draft',
  service: 'clinical-notes',
  description: 'Deletes the draft that the caller has of a note.',
  arguments: { session_id: draftedNote, version: draftVersion },
  returns: returns.nothing,
  effect: 'writes',
  roles: ['owner', 'therapist'],
});
