import { problemFor } from '@practice/core';
import { column, resource } from '@practice/resource';

export const sessionAddenda = resource({
  name: 'session_addenda',
  service: 'clinical-notes',
  aggregate: 'session_addendum',
  description:
    'Additions to signed notes. Each is signed when it is written, and cannot be changed, deleted or undone.',
  confidential: true,
  appendOnly: true,
  isUndoable: false,
  columns: {
    session_id: column.uuid({
      required: true,
      references: 'sessions',
      shares: ['client_id'],
      needs: {
        where: { status: ['signed'] },
        problem: problemFor('PM001', { message: 'the note is not signed' }),
      },
    }),
    client_id: column.uuid({
      references: 'clients',
      description: 'The client of the note. Default: from the note.',
    }),
    text: column.text({ required: true, notBlank: true, confidential: true, personal: { of: 'client_id' } }),
    author_id: column.uuid({ readOnly: true, caller: {}, description: 'The caller.' }),
    signed_at: column.timestamp({ readOnly: true }),
    signed_by_name: column.text({
      readOnly: true,
      maxLength: 320,
      description: 'The printed name of the signer.',
    }),
    text_hash: column.text({
      readOnly: true,
      confidential: true,
      description:
        'SHA-256 of `id`, `session_id`, `client_id`, `author_id`, `text`, `signed_at` and `signed_by_name` as canonical JSON (RFC 8785).',
    }),
  },
  events: { SessionAddendumSigned: 'created' },
  indexes: [['session_id', 'created_at'], ['client_id']],
  search: { title: 'created_at', in: ['text'] },
});
