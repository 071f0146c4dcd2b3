import { problemFor } from '@practice/core';
import { column, resource, type RowOf } from '@practice/resource';
import { noteFormatNames } from './note-formats.js';

const clinical = { confidential: true, personal: { of: 'client_id' } } as const;
const text = column.text(clinical);
const clinician = {
  ...{ resource: 'memberships', column: 'user_id' },
  where: { status: ['active'], role: ['owner', 'therapist'] },
} as const;

/** The problem of a write to a signed note, which is final. */
export const noteSigned = problemFor('PM020');

export const sessions = resource({
  name: 'sessions',
  service: 'clinical-notes',
  aggregate: 'session_note',
  description:
    'Treatment notes. A note is a draft until it is signed (`rpc/sign_note`); then it cannot change: write an addendum, or void it. Events do not contain the texts.',
  confidential: true,
  locked: { where: { status: ['signed', 'voided'] }, problem: noteSigned },
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    appointment_id: column.uuid({ references: 'appointments', shares: ['client_id'] }),
    subjective: text,
    objective: text,
    assessment: text,
    plan: text,
    format: column.text({ default: 'soap', oneOf: noteFormatNames }),
    template_id: column.uuid({
      references: 'note_templates',
      description: 'The template that has the sections of the note, instead of its format.',
    }),
    sections: column.json({
      ...clinical,
      maxBytes: 262_144,
      description:
        'The texts by section: `{"data": "…"}`. The template or the format has the names; `free` allows any.',
    }),
    author_id: column.uuid({
      readOnly: true,
      caller: { ownersChoose: clinician },
      description:
        'The owner or therapist who wrote it. Default: the caller; only owners may name another one.',
    }),
    needs_cosign_by: column.uuid({
      among: clinician,
      description: 'The member who must co-sign it, such as a supervisor. Not the author.',
    }),
    status: column.text({ default: 'draft', oneOf: ['draft', 'signed', 'voided'], readOnly: true }),
    signed_at: column.timestamp({ readOnly: true }),
    signed_by_name: column.text({
      readOnly: true,
      maxLength: 320,
      description: 'The printed name of the signer.',
    }),
    signed_meaning: column.text({ readOnly: true, oneOf: ['authorship', 'review', 'approval'] }),
    text_hash: column.text({
      readOnly: true,
      confidential: true,
      description:
        'SHA-256 of the signed columns as canonical JSON (RFC 8785), in hexadecimal digits; see `rpc/verify_note`.',
    }),
    sealed_hash: column.text({
      readOnly: true,
      confidential: true,
      description:
        'SHA-256 of the texts as the log stores them, sealed. It can be checked after an erasure too.',
    }),
    cosigned_at: column.timestamp({ readOnly: true }),
    cosigned_by_name: column.text({ readOnly: true, maxLength: 320 }),
    voided_at: column.timestamp({ readOnly: true }),
    void_reason: column.text({ ...clinical, readOnly: true, maxLength: 500 }),
  },
  events: {
    SessionNoteWritten: 'created',
    SessionNoteAmended: 'others',
    SessionNoteSigned: [
      ...(['status', 'author_id', 'signed_at', 'signed_by_name', 'signed_meaning'] as const),
      ...(['text_hash', 'sealed_hash'] as const),
    ],
    SessionNoteCosigned: ['cosigned_at', 'cosigned_by_name'],
    SessionNoteVoided: ['status', 'voided_at', 'void_reason'],
    SessionNoteDeleted: 'deleted',
  },
  indexes: [['client_id', 'created_at'], ['appointment_id'], ['template_id']],
  search: { title: 'created_at', in: ['subjective', 'objective', 'assessment', 'plan'] },
});

export type SessionNote = RowOf<typeof sessions>;
