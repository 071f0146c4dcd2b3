import { describe, it } from '@jest/globals';
import { appointments, serviceMenu } from '@practice/contracts';
import type { Appointment, AppointmentStatus, ServiceMenuEntry } from '@practice/contracts';
import type { Resource } from '@practice/resource';
import { NOW, storiesOf } from '@practice/testing';
import { appointment } from './appointment.js';

const given = storiesOf(appointments as unknown as Resource, appointment as never);

const practice = '018f0000-0000-7000-8000-000000000001';
const massage = '018f0000-0000-7000-8000-0000000000a1';

const booked = (but: Partial<Appointment> = {}): Appointment => ({
  id: '018f0000-0000-7000-8000-000000000010',
  therapist_id: practice,
  date: '2026-05-04',
  start_time: '09:00',
  end_time: '10:00',
  status: 'scheduled',
  client_id: null,
  client_name: null,
  service_id: null,
  notes: null,
  allow_overlap: false,
  seat: 0,
  created_at: NOW,
  updated_at: NOW,
  ...but,
});

const onMenu = (but: Partial<ServiceMenuEntry> = {}): ServiceMenuEntry => ({
  id: massage,
  therapist_id: practice,
  name: 'Massage',
  duration: 50,
  price: '80.00',
  capacity: 1,
  created_at: NOW,
  updated_at: NOW,
  ...but,
});

const other = (but: Partial<Appointment> = {}): Appointment =>
  booked({ id: '018f0000-0000-7000-8000-000000000020', ...but });
const third = (but: Partial<Appointment> = {}): Appointment =>
  booked({ id: '018f0000-0000-7000-8000-000000000030', ...but });

const create = (record: Appointment) => ({ kind: 'create', record }) as const;
const change = (changes: Partial<Appointment>) => ({ kind: 'change', changes }) as const;

describe('booking', () => {
  it('takes a free time', () => {
    given(null).when(create(booked())).then({ type: 'AppointmentScheduled', data: booked() });
  });

  it('ends after the length of the service when no end is given', () => {
    const wish = booked({ service_id: massage, end_time: null as never });
    given(null)
      .among('service_menu', onMenu())
      .when(create(wish))
      .then({ type: 'AppointmentScheduled', data: { ...wish, end_time: '09:50' } });
  });

  it('does not run past midnight', () => {
    given(null)
      .among('service_menu', onMenu())
      .when(create(booked({ start_time: '23:30', service_id: massage, end_time: null as never })))
      .thenRejects('23514', /next day/);
  });

  it.each(['completed', 'cancelled', 'no_show'] as const)(
    'may import a %s appointment over a taken time',
    (status) => {
      const wish = booked({ status });
      given(null)
        .among('appointments', other())
        .when(create(wish))
        .then({ type: 'AppointmentScheduled', data: wish });
    },
  );
});

describe('double booking', () => {
  it.each([
    ['the same time', '09:00', '10:00'],
    ['an overlap at its start', '08:30', '09:01'],
    ['an overlap at its end', '09:59', '11:00'],
    ['a time around it', '08:00', '12:00'],
    ['a time within it', '09:15', '09:30'],
  ])('is refused for %s, naming what is in the way', (_, start_time, end_time) => {
    given(null)
      .among('appointments', other({ start_time, end_time }))
      .when(create(booked()))
      .thenRejects('PM002', other().id);
  });

  it.each([
    ['before', { start_time: '08:00', end_time: '09:00' }],
    ['after', { start_time: '10:00', end_time: '11:00' }],
  ])('is none when the other one is right %s it', (_, times) => {
    given(null)
      .among('appointments', other(times))
      .when(create(booked()))
      .then({ type: 'AppointmentScheduled', data: booked() });
  });

  it.each(['completed', 'cancelled', 'no_show'] as const)('is none over a %s appointment', (status) => {
    given(null)
      .among('appointments', other({ status }))
      .when(create(booked()))
      .then({ type: 'AppointmentScheduled', data: booked() });
  });

  it('is allowed when either of the two allows it', () => {
    const wish = booked({ allow_overlap: true });
    given(null)
      .among('appointments', other())
      .when(create(wish))
      .then({ type: 'AppointmentScheduled', data: wish });
    given(null)
      .among('appointments', other({ allow_overlap: true }))
      .when(create(booked()))
      .then({ type: 'AppointmentScheduled', data: booked() });
  });

  it('is refused when allow_overlap is taken back over a taken time', () => {
    given(booked({ allow_overlap: true }))
      .among('appointments', other())
      .when(change({ allow_overlap: false }))
      .thenRejects('PM002');
  });

  it('is refused when an appointment moves onto a taken time', () => {
    given(booked())
      .among('appointments', other({ date: '2026-05-05' }))
      .when(change({ date: '2026-05-05' }))
      .thenRejects('PM002');
  });

  it('never counts the appointment itself', () => {
    given(booked())
      .among('appointments', booked())
      .when(change({ end_time: '10:30' }))
      .then({ type: 'AppointmentRescheduled', data: { end_time: '10:30' } });
  });
});

describe('a group', () => {
  const group = onMenu({ capacity: 2 });
  const seatOf = (seat: number, but: Partial<Appointment> = {}) => ({ service_id: massage, seat, ...but });

  it('gives each a seat of the slot until they are used up', () => {
    const wish = booked(seatOf(0));
    given(null)
      .among('service_menu', group)
      .among('appointments', other(seatOf(0)))
      .when(create(wish))
      .then({ type: 'AppointmentScheduled', data: { ...wish, seat: 1 } });
    given(null)
      .among('service_menu', group)
      .among('appointments', other(seatOf(0)), third(seatOf(1)))
      .when(create(wish))
      .thenRejects('PM002');
  });

  it('gives a freed seat again', () => {
    const wish = booked(seatOf(0));
    given(null)
      .among('service_menu', group)
      .among('appointments', other(seatOf(0, { status: 'cancelled' })), third(seatOf(1)))
      .when(create(wish))
      .then({ type: 'AppointmentScheduled', data: wish });
  });

  it('shares only the very same slot', () => {
    given(null)
      .among('service_menu', group)
      .among('appointments', other(seatOf(0, { start_time: '09:30', end_time: '10:30' })))
      .when(create(booked(seatOf(0))))
      .thenRejects('PM002');
  });
});

describe('a status', () => {
  const events: Record<string, string> = {
    'scheduled confirmed': 'AppointmentConfirmed',
    'scheduled completed': 'AppointmentCompleted',
    'scheduled cancelled': 'AppointmentCancelled',
    'scheduled no_show': 'AppointmentMarkedNoShow',
    'confirmed scheduled': 'AppointmentUnconfirmed',
    'confirmed completed': 'AppointmentCompleted',
    'confirmed cancelled': 'AppointmentCancelled',
    'confirmed no_show': 'AppointmentMarkedNoShow',
    'completed confirmed': 'AppointmentCompletionUndone',
    'cancelled scheduled': 'AppointmentReinstated',
    'no_show confirmed': 'AppointmentConfirmed',
    'no_show completed': 'AppointmentCompleted',
  };
  const statuses: AppointmentStatus[] = ['scheduled', 'confirmed', 'completed', 'cancelled', 'no_show'];
  const pairs = statuses.flatMap((from) =>
    statuses.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  it.each(pairs)('goes from %s to %s only where that is allowed', (from, to) => {
    const outcome = given(booked({ status: from })).when(change({ status: to }));
    const type = events[`${from} ${to}`];
    if (type === undefined) outcome.thenRejects('PM001');
    else outcome.then({ type, data: { status: to } });
  });

  it('takes its time again only when that is still free', () => {
    given(booked({ status: 'cancelled' }))
      .among('appointments', other())
      .when(change({ status: 'scheduled' }))
      .thenRejects('PM002');
  });
});

describe('a change', () => {
  it('becomes the events that say what happened', () => {
    given(booked())
      .when(change({ start_time: '08:30', notes: 'bring the report', status: 'confirmed' }))
      .then(
        { type: 'AppointmentRescheduled', data: { start_time: '08:30' } },
        { type: 'AppointmentDetailsChanged', data: { notes: 'bring the report' } },
        { type: 'AppointmentConfirmed', data: { status: 'confirmed' } },
      );
  });

  it('of nothing is nothing', () => {
    given(booked()).when(change({})).thenNothing();
  });
});

describe('deleting', () => {
  it('ends the stream', () => {
    given(booked()).when({ kind: 'delete' }).then({ type: 'AppointmentDeleted', data: {} });
  });
});

describe('what it refers to', () => {
  it('is a service of the menu', () => {
    // The reference itself is checked for every resource alike; the decider only reads what is there.
    given(null)
      .among(serviceMenu.name, onMenu())
      .when(create(booked({ service_id: massage })))
      .then({ type: 'AppointmentScheduled', data: booked({ service_id: massage }) });
  });
});
