import { column, resource, type RowOf } from '@practice/resource';

const text = column.text({ confidential: true, personal: { of: 'client_id' } });

export const sessions = resource({
  name: 'sessions',
  service: 'clinical-notes',
  aggregate: 'session_note',
  description: 'Treatment notes: subjective, objective, assessment, plan. Events do not contain the texts.',
  confidential: true,
  columns: {
    client_id: column.uuid({ required: true, references: 'clients' }),
    appointment_id: column.uuid({ references: 'appointments' }),
    subjective: text,
    objective: text,
    assessment: text,
    plan: text,
  },
  events: {
    SessionNoteWritten: 'created',
    SessionNoteAmended: 'others',
    SessionNoteDeleted: 'deleted',
  },
  indexes: [['client_id', 'created_at'], ['appointment_id']],
});

export type SessionNote = RowOf<typeof sessions>;
