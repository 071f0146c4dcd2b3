import { column, defineFunction, returns } from '@practice/resource';
import { sessions } from '../sessions.js';
import { namedNote } from './named-note.js';

export const voidNote = defineFunction({
  name: 'void_note',
  service: 'clinical-notes',
  description:
    'Marks a signed note as entered in error. Its text stays readable. Only its author and owners may void it.',
  arguments: {
    ...namedNote,
    reason: column.text({ required: true, notBlank: true, maxLength: 500, description: 'Why.' }),
  },
  returns: returns.event(sessions, 'SessionNoteVoided'),
  effect: 'writes',
  roles: ['owner', 'therapist'],
});
