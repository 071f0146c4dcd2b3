import { describe, it } from '@jest/globals';
import { appointments, sessions, type SessionNote } from '@practice/contracts';
import type { Changes, Command, EventOf } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';
import { sessionNote } from './session-note.js';

type Sessions = typeof sessions;

const given = specOf(sessionNote);

const [ada, bo] = ['018f0000-0000-7000-8000-0000000000c1', '018f0000-0000-7000-8000-0000000000c2'];
const visit = '018f0000-0000-7000-8000-0000000000a1';

const note = recordsOf(sessions, { client_id: ada, subjective: 'sleeps badly' });

const written = (but: Partial<SessionNote> = {}): EventOf<Sessions> => ({
  type: 'SessionNoteWritten',
  data: note(but),
});
const amended = (
  data: Partial<Pick<SessionNote, 'client_id' | 'appointment_id' | 'plan' | 'sections'>>,
): EventOf<Sessions> => ({
  type: 'SessionNoteAmended',
  data,
});
const write = (but: Partial<SessionNote> = {}): Command<Sessions> => ({ kind: 'create', record: note(but) });
const change = (changes: Changes<Sessions>): Command<Sessions> => ({ kind: 'change', changes });
const anotherClients = /^Key \(appointment_id, client_id\)=\(.+\) is not present in table "appointments"/;

describe('a new note', () => {
  it('needs no appointment', () => {
    given().when(write()).then(written());
  });

  it.each([ada, null])('may belong to an appointment of client %s', (client_id) => {
    given()
      .among(appointments, { id: visit, client_id })
      .when(write({ appointment_id: visit }))
      .then(written({ appointment_id: visit }));
  });

  it('is rejected for an appointment of another client', () => {
    given()
      .among(appointments, { id: visit, client_id: bo })
      .when(write({ appointment_id: visit }))
      .thenRejects('23503', anotherClients);
  });
});

describe('a note of an appointment', () => {
  it('can be amended and deleted without reading the appointment', () => {
    given(written({ appointment_id: visit }))
      .when(change({ plan: 'rest' }))
      .then(amended({ plan: 'rest' }));
    given(written({ appointment_id: visit }))
      .when({ kind: 'delete' })
      .then({ type: 'SessionNoteDeleted', data: {} });
  });
});

describe('moving a note', () => {
  it('to an appointment is possible within the same client', () => {
    given(written())
      .among(appointments, { id: visit, client_id: ada })
      .when(change({ appointment_id: visit }))
      .then(amended({ appointment_id: visit }));
    given(written())
      .among(appointments, { id: visit, client_id: bo })
      .when(change({ appointment_id: visit }))
      .thenRejects('23503', anotherClients);
  });

  it('to another client is rejected while it belongs to an appointment of the first', () => {
    given(written({ appointment_id: visit }))
      .among(appointments, { id: visit, client_id: ada })
      .when(change({ client_id: bo }))
      .thenRejects('23503', anotherClients);
    given(written({ appointment_id: visit }))
      .when(change({ client_id: bo, appointment_id: null }))
      .then(amended({ client_id: bo, appointment_id: null }));
  });
});
