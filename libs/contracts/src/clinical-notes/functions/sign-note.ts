import { column, defineFunction, returns } from '@practice/resource';
import { recentProof } from '../../identity/functions/recent-proof.js';
import { sessions } from '../sessions.js';
import { namedNote } from './named-note.js';

export const signNote = defineFunction({
  name: 'sign_note',
  service: 'clinical-notes',
  description:
    'Signs a note. It is final then: every write of it is 409 `PM020`, and there is no way to unlock it. Requires a recent sign-in, or a second factor (`aal2`).',
  arguments: {
    ...namedNote,
    meaning: column.text({
      required: true,
      oneOf: ['authorship', 'review', 'approval'],
      description: 'The meaning of the signature. Only the author signs for authorship.',
    }),
    ...recentProof,
  },
  returns: returns.event(sessions, 'SessionNoteSigned'),
  effect: 'writes',
  roles: ['owner', 'therapist'],
  needsSession: true,
  needsProof: 'unless aal2',
});
