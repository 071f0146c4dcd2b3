import { describe, it } from '@jest/globals';
import { appointments } from '@practice/contracts';
import type { Appointment } from '@practice/contracts';
import { NOW, storiesOf } from '@practice/testing';
import { appointment } from './appointment.js';

const given = storiesOf(appointments, appointment);

const [ada, bo] = ['018f0000-0000-7000-8000-0000000000c1', '018f0000-0000-7000-8000-0000000000c2'];
const people = [
  { id: ada, name: 'Ada' },
  { id: bo, name: 'Bo' },
];

const past = (but: Partial<Appointment> = {}): Appointment => ({
  id: '018f0000-0000-7000-8000-000000000010',
  therapist_id: '018f0000-0000-7000-8000-000000000001',
  date: '2026-04-04',
  start_time: '09:00',
  end_time: '10:00',
  status: 'completed',
  client_id: ada,
  client_name: 'Ada',
  service_id: null,
  notes: null,
  allow_overlap: false,
  seat: 0,
  created_at: NOW,
  updated_at: NOW,
  ...but,
});

const create = (record: Appointment) => ({ kind: 'create', record }) as const;
const change = (changes: Partial<Appointment>) => ({ kind: 'change', changes }) as const;
const detailed = (data: Partial<Appointment>) => ({ type: 'AppointmentDetailsChanged', data });

describe('a new appointment', () => {
  const among = () => given(null).among('clients', ...people);

  it('takes the name of its client', () => {
    among()
      .when(create(past({ client_name: null })))
      .then({ type: 'AppointmentScheduled', data: past() });
  });

  it('keeps a name that was given', () => {
    const wish = past({ client_name: 'Mum of Ada' });
    among().when(create(wish)).then({ type: 'AppointmentScheduled', data: wish });
  });

  it('has none without a client', () => {
    const wish = past({ client_id: null, client_name: null });
    among().when(create(wish)).then({ type: 'AppointmentScheduled', data: wish });
  });
});

describe('another client', () => {
  it('brings the name along', () => {
    given(past())
      .among('clients', ...people)
      .when(change({ client_id: bo }))
      .then(detailed({ client_id: bo, client_name: 'Bo' }));
  });

  it('brings it to an appointment that had no client and no name', () => {
    given(past({ client_id: null, client_name: null }))
      .among('clients', ...people)
      .when(change({ client_id: bo }))
      .then(detailed({ client_id: bo, client_name: 'Bo' }));
  });

  it('leaves a name that was set by hand', () => {
    given(past({ client_name: 'Mum of Ada' }))
      .among('clients', ...people)
      .when(change({ client_id: bo }))
      .then(detailed({ client_id: bo }));
  });

  it('comes with the name that the caller gives', () => {
    given(past())
      .among('clients', ...people)
      .when(change({ client_id: bo, client_name: 'B.' }))
      .then(detailed({ client_id: bo, client_name: 'B.' }));
  });

  it('takes the name away when there is none any more, unless it was set by hand', () => {
    given(past())
      .among('clients', ...people)
      .when(change({ client_id: null }))
      .then(detailed({ client_id: null, client_name: null }));
    given(past({ client_name: 'Mum' }))
      .among('clients', ...people)
      .when(change({ client_id: null }))
      .then(detailed({ client_id: null }));
  });
});

describe('a name alone', () => {
  it('is set by hand without a look at the client', () => {
    given(past())
      .when(change({ client_name: 'Mum of Ada' }))
      .then(detailed({ client_name: 'Mum of Ada' }));
  });

  it('can be taken away', () => {
    given(past())
      .when(change({ client_name: null }))
      .then(detailed({ client_name: null }));
  });
});
