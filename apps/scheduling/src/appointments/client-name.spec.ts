import { describe, it } from '@jest/globals';
import { clients, type Appointment, type appointments } from '@practice/contracts';
import type { EventOf } from '@practice/resource';
import { bringBack, change, given, schedule, scheduled, setBack } from './testing/appointments.js';

const ada = { id: '018f0000-0000-7000-8000-0000000000c1', name: 'Ada' };
const bo = { id: '018f0000-0000-7000-8000-0000000000c2', name: 'Bo' };

/** An imported appointment: it blocks no time, so no other appointment is looked up. */
const past = { status: 'completed', client_id: ada.id, client_name: 'Ada' } as const;

const withAda = (but: Partial<Appointment> = {}) =>
  given(scheduled({ ...past, ...but })).among(clients, ada, bo);

const details = (
  data: Partial<Pick<Appointment, 'client_id' | 'client_name'>>,
): EventOf<typeof appointments> => ({ type: 'AppointmentDetailsChanged', data });

describe('a new appointment', () => {
  const amongClients = () => given().among(clients, ada, bo);

  it('takes the name of its client', () => {
    amongClients()
      .when(schedule({ ...past, client_name: null }))
      .then(scheduled(past));
  });

  it('keeps a name that the caller gives', () => {
    const named = { ...past, client_name: 'Mum of Ada' };
    amongClients().when(schedule(named)).then(scheduled(named));
  });

  it('has no name without a client', () => {
    const nobody = { ...past, client_id: null, client_name: null };
    amongClients().when(schedule(nobody)).then(scheduled(nobody));
  });
});

describe('an undo', () => {
  it('restores an appointment with the current name of its client, or with its own name if it has no client', () => {
    const old = { ...past, client_name: 'Adele' };
    given().among(clients, ada).when(bringBack(old)).then(scheduled(past));
    const guest = { ...past, client_id: null, client_name: 'A guest' };
    given().when(bringBack(guest)).then(scheduled(guest));
  });

  it('restores a client with the current name', () => {
    withAda()
      .when(setBack({ client_id: bo.id, client_name: 'Bob' }))
      .then(details({ client_id: bo.id, client_name: 'Bo' }));
    withAda()
      .when(setBack({ client_name: 'Mum of Ada' }))
      .then(details({ client_name: 'Mum of Ada' }));
  });
});

describe('another client', () => {
  it('changes the name as well', () => {
    withAda()
      .when(change({ client_id: bo.id }))
      .then(details({ client_id: bo.id, client_name: 'Bo' }));
  });

  it('sets the name of an appointment that had no client and no name', () => {
    withAda({ client_id: null, client_name: null })
      .when(change({ client_id: bo.id }))
      .then(details({ client_id: bo.id, client_name: 'Bo' }));
  });

  it('keeps a name that a caller has set', () => {
    withAda({ client_name: 'Mum of Ada' })
      .when(change({ client_id: bo.id }))
      .then(details({ client_id: bo.id }));
  });

  it('takes the name that the same request gives', () => {
    withAda()
      .when(change({ client_id: bo.id, client_name: 'B.' }))
      .then(details({ client_id: bo.id, client_name: 'B.' }));
  });

  it('removes the name together with the client, unless a caller has set it', () => {
    withAda()
      .when(change({ client_id: null }))
      .then(details({ client_id: null, client_name: null }));
    withAda({ client_name: 'Mum' })
      .when(change({ client_id: null }))
      .then(details({ client_id: null }));
  });
});

describe('the name without the client', () => {
  it('can be changed, and the client is not looked up', () => {
    given(scheduled(past))
      .when(change({ client_name: 'Mum of Ada' }))
      .then(details({ client_name: 'Mum of Ada' }));
  });

  it('can be removed', () => {
    given(scheduled(past))
      .when(change({ client_name: null }))
      .then(details({ client_name: null }));
  });
});
