import { column, resource } from '@practice/resource';

export const privateNotes = resource({
  name: 'private_notes',
  service: 'clinical-notes',
  aggregate: 'private_note',
  description:
    'Psychotherapy notes (45 CFR 164.501), apart from the record of treatment. Only their author reads them: no other role, break-glass access, export, feed or undo does. An erasure of the client erases them.',
  confidential: true,
  isUndoable: false,
  roles: {
    owner: { may: 'delete', of: 'author_id' },
    therapist: { may: 'delete', of: 'author_id' },
    read_only: 'none',
  },
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    author_id: column.uuid({
      ...{ readOnly: true, caller: {} },
      ...{ requiredUnless: 'client_id', description: 'The caller.' },
    }),
    text: column.text({ required: true, notBlank: true, confidential: true, personal: { of: 'client_id' } }),
  },
  events: { PrivateNoteWritten: 'created', PrivateNoteChanged: 'others', PrivateNoteDeleted: 'deleted' },
  indexes: [['client_id', 'created_at']],
});
