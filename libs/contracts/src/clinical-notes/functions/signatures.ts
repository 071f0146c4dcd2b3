import { column, defineFunction, returns } from '@practice/resource';
import { recentProof } from '../../identity/functions/callers.js';
import { sessions } from '../sessions.js';

/** The arguments that name a note, and the version that the caller has seen. */
const namedNote = {
  session_id: column.uuid({ required: true, description: 'The note.' }),
  version: column.integer({
    min: 1,
    description:
      'The version of the note that the caller has seen (its `ETag`): 412 `PM006` for another one.',
  }),
} as const;

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

const { signed_at, signed_by_name, signed_meaning, text_hash } = sessions.columns;

export const verifyNote = defineFunction({
  name: 'verify_note',
  service: 'clinical-notes',
  description:
    'Checks a signed note, its addenda and the log behind them: recomputes the hashes of the texts, of the sealed texts and of the chain, and compares the stored records with the log.',
  arguments: { session_id: namedNote.session_id },
  returns: returns.object({
    id: namedNote.session_id,
    intact: column.boolean({
      description: 'Whether every check passes. Null if the log is too long to check it in one call.',
    }),
    text_intact: column.boolean({
      description: 'Whether the texts have the hashes that were signed. Null after an erasure.',
    }),
    sealed_intact: column.boolean({
      required: true,
      description: 'Whether the sealed texts in the log have the hash that was signed.',
    }),
    record_intact: column.boolean({
      required: true,
      description: 'Whether the stored records equal the records that the log makes.',
    }),
    chain_intact: column.boolean({
      description:
        'Whether the log is intact from the first event of the note to its end. Null if it is too long to check it in one call; see `verify_log`.',
    }),
    erased: column.boolean({ required: true, description: 'Whether texts of the note were erased.' }),
    ...{ signed_at, signed_by_name, signed_meaning, text_hash },
  }),
  effect: 'reads',
  roles: ['owner', 'therapist', 'read_only'],
});
