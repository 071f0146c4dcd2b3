import { describe, it } from '@jest/globals';
import { sessions } from '@practice/contracts';
import type { SessionNote } from '@practice/contracts';
import { NOW, storiesOf } from '@practice/testing';
import { sessionNote } from './session-note.js';

const given = storiesOf(sessions, sessionNote);

const [ada, bo] = ['018f0000-0000-7000-8000-0000000000c1', '018f0000-0000-7000-8000-0000000000c2'];
const visit = '018f0000-0000-7000-8000-0000000000a1';

const note = (but: Partial<SessionNote> = {}): SessionNote => ({
  id: '018f0000-0000-7000-8000-000000000010',
  therapist_id: '018f0000-0000-7000-8000-000000000001',
  client_id: ada,
  appointment_id: null,
  subjective: 'sleeps badly',
  objective: null,
  assessment: null,
  plan: null,
  created_at: NOW,
  updated_at: NOW,
  ...but,
});

const create = (record: SessionNote) => ({ kind: 'create', record }) as const;
const change = (changes: Partial<SessionNote>) => ({ kind: 'change', changes }) as const;
const amended = (data: Partial<SessionNote>) => ({ type: 'SessionNoteAmended', data });
const anotherClients = /^Key \(appointment_id, client_id\)=\(.+\) is not present in table "appointments"/;

describe('a note', () => {
  it('is written without an appointment', () => {
    given(null).when(create(note())).then({ type: 'SessionNoteWritten', data: note() });
  });

  it('is written for an appointment of its client, or for one without a client', () => {
    for (const client of [ada, null]) {
      const record = note({ appointment_id: visit });
      given(null)
        .among('appointments', { id: visit, client_id: client })
        .when(create(record))
        .then({ type: 'SessionNoteWritten', data: record });
    }
  });

  it('is not written for an appointment of another client', () => {
    given(null)
      .among('appointments', { id: visit, client_id: bo })
      .when(create(note({ appointment_id: visit })))
      .thenRejects('23503', anotherClients);
  });

  it('is amended and deleted without a look at its appointment', () => {
    given(note({ appointment_id: visit }))
      .when(change({ plan: 'rest' }))
      .then(amended({ plan: 'rest' }));
    given(note({ appointment_id: visit }))
      .when({ kind: 'delete' })
      .then({ type: 'SessionNoteDeleted', data: {} });
  });
});

describe('a note that is moved', () => {
  it('to an appointment goes to one of its client only', () => {
    given(note())
      .among('appointments', { id: visit, client_id: ada })
      .when(change({ appointment_id: visit }))
      .then(amended({ appointment_id: visit }));
    given(note())
      .among('appointments', { id: visit, client_id: bo })
      .when(change({ appointment_id: visit }))
      .thenRejects('23503', anotherClients);
  });

  it('to another client cannot keep the appointment of the one before', () => {
    given(note({ appointment_id: visit }))
      .among('appointments', { id: visit, client_id: ada })
      .when(change({ client_id: bo }))
      .thenRejects('23503', anotherClients);
    given(note({ appointment_id: visit }))
      .when(change({ client_id: bo, appointment_id: null }))
      .then(amended({ client_id: bo, appointment_id: null }));
  });
});
