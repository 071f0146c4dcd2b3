import { column, defineFunction, returns } from '@practice/resource';
import { sessions } from '../sessions.js';

const { signed_at, signed_by_name, signed_meaning, text_hash } = sessions.columns;

export const verifyNote = defineFunction({
  name: 'verify_note',
  service: 'clinical-notes',
  description:
    'Checks a signed note, its addenda and the log behind them: recomputes the hashes of the texts, of the sealed texts and of the chain, and compares the stored records with the log.',
  arguments: { session_id: column.uuid({ required: true, description: 'The note.' }) },
  returns: returns.object({
    id: column.uuid({ required: true, description: 'The note.' }),
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
