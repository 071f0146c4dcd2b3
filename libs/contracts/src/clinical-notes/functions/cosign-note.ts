import { defineFunction, returns } from '@practice/resource';
import { recentProof } from '../../identity/functions/recent-proof.js';
import { sessions } from '../sessions.js';
import { namedNote } from './named-note.js';

export const cosignNote = defineFunction({
  name: 'cosign_note',
  service: 'clinical-notes',
  description:
    'Co-signs a signed note. Only the member in `needs_cosign_by` may. Requires a recent sign-in, or a second factor (`aal2`).',
  arguments: { ...namedNote, ...recentProof },
  returns: returns.event(sessions, 'SessionNoteCosigned'),
  effect: 'writes',
  roles: ['owner', 'therapist'],
  needsSession: true,
  needsProof: 'unless aal2',
});
