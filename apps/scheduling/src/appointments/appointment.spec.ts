import { describe, it } from '@jest/globals';
import { appointments, appointmentStatuses, practiceSettings, serviceMenu } from '@practice/contracts';
import type { Appointment, AppointmentStatus } from '@practice/contracts';
import type { EventOf, EventTypesWith } from '@practice/resource';
import { recordsOf } from '@practice/testing';
import {
  bringBack,
  cancel,
  cancelled,
  change,
  completed,
  confirmed,
  given,
  missed,
  record,
  rescheduled,
  schedule,
  scheduled,
  setBack,
} from './testing/appointments.js';

const massage = '018f0000-0000-7000-8000-0000000000a1';

const onMenu = recordsOf(serviceMenu, { id: massage, name: 'Massage', duration: 50, price: '80.00' });

const other = (but: Partial<Appointment> = {}): Appointment =>
  record({ id: '018f0000-0000-7000-8000-000000000020', ...but });
const third = (but: Partial<Appointment> = {}): Appointment =>
  record({ id: '018f0000-0000-7000-8000-000000000030', ...but });

const unblocking = ['completed', 'cancelled', 'no_show'] as const;

describe('scheduling', () => {
  it('takes a free time', () => {
    given().when(schedule()).then(scheduled());
  });

  it('takes the length of the service when no end is given', () => {
    given()
      .among(serviceMenu, onMenu())
      .when(schedule({ service_id: massage, end_time: null }))
      .then(scheduled({ service_id: massage, price: '80.00', end_time: '09:50' }));
  });

  it('takes the price of the service unless one is given', () => {
    const menu = given().among(serviceMenu, onMenu({ price: '95.00' }));
    menu.when(schedule({ service_id: massage })).then(scheduled({ service_id: massage, price: '95.00' }));
    menu
      .when(schedule({ service_id: massage, price: '60.00' }))
      .then(scheduled({ service_id: massage, price: '60.00' }));
  });

  it('is rejected when the service would end after midnight', () => {
    given()
      .among(serviceMenu, onMenu())
      .when(schedule({ start_time: '23:30', service_id: massage, end_time: null }))
      .thenRejects('23514', /next day/);
  });

  it.each(unblocking)('may import a %s appointment over a taken time', (status) => {
    given().among(appointments, other()).when(schedule({ status })).then(scheduled({ status }));
  });
});

describe('double booking', () => {
  it.each([
    ['the same time', '09:00', '10:00'],
    ['an overlap at the start', '08:30', '09:01'],
    ['an overlap at the end', '09:59', '11:00'],
    ['a longer time around it', '08:00', '12:00'],
    ['a shorter time within it', '09:15', '09:30'],
  ])('is rejected for %s, and the details name the other appointment', (_, start_time, end_time) => {
    given()
      .among(appointments, other({ start_time, end_time }))
      .when(schedule())
      .thenRejects('PM002', other().id);
  });

  it.each([
    ['before', { start_time: '08:00', end_time: '09:00' }],
    ['after', { start_time: '10:00', end_time: '11:00' }],
  ])('does not apply to an appointment right %s', (_, times) => {
    given().among(appointments, other(times)).when(schedule()).then(scheduled());
  });

  it.each(unblocking)('does not apply to a %s appointment', (status) => {
    given().among(appointments, other({ status })).when(schedule()).then(scheduled());
  });

  it('is allowed when one of the two appointments allows it', () => {
    const overlapping = { allow_overlap: true };
    given().among(appointments, other()).when(schedule(overlapping)).then(scheduled(overlapping));
    given().among(appointments, other(overlapping)).when(schedule()).then(scheduled());
  });

  it('is rejected when allow_overlap is withdrawn over a taken time', () => {
    given(scheduled({ allow_overlap: true }))
      .among(appointments, other())
      .when(change({ allow_overlap: false }))
      .thenRejects('PM002');
  });

  it('is rejected when an appointment moves to a taken time', () => {
    given(scheduled())
      .among(appointments, other({ date: '2026-05-05' }))
      .when(change({ date: '2026-05-05' }))
      .thenRejects('PM002');
  });

  it('does not compare an appointment with itself', () => {
    given(scheduled())
      .among(appointments, record())
      .when(change({ end_time: '10:30' }))
      .then(rescheduled({ end_time: '10:30' }));
  });
});

describe('a group slot', () => {
  const group = onMenu({ capacity: 2 });
  const seat = (number: number, but: Partial<Appointment> = {}) => ({
    service_id: massage,
    seat: number,
    ...but,
  });

  it('gives each appointment a seat until all are taken', () => {
    given()
      .among(serviceMenu, group)
      .among(appointments, other(seat(0)))
      .when(schedule(seat(0)))
      .then(scheduled(seat(1, { price: '80.00' })));
    given()
      .among(serviceMenu, group)
      .among(appointments, other(seat(0)), third(seat(1)))
      .when(schedule(seat(0)))
      .thenRejects('PM002');
  });

  it('gives the seat of a cancelled appointment to another one', () => {
    given()
      .among(serviceMenu, group)
      .among(appointments, other(seat(0, { status: 'cancelled' })), third(seat(1)))
      .when(schedule(seat(0)))
      .then(scheduled(seat(0, { price: '80.00' })));
  });

  it('is shared only by appointments of exactly the same time', () => {
    given()
      .among(serviceMenu, group)
      .among(appointments, other(seat(0, { start_time: '09:30', end_time: '10:30' })))
      .when(schedule(seat(0)))
      .thenRejects('PM002');
  });

  it('gives the next seat to an appointment that moves into it, in the event of the move', () => {
    given(scheduled(seat(0)))
      .among(serviceMenu, group)
      .among(appointments, other(seat(0, { date: '2026-05-05' })))
      .when(change({ date: '2026-05-05', notes: 'moved' }))
      .then(rescheduled({ date: '2026-05-05', seat: 1 }), {
        type: 'AppointmentDetailsChanged',
        data: { notes: 'moved' },
      });
  });
});

describe('the status', () => {
  type StatusEvent = EventTypesWith<typeof appointments, 'status'>;

  const allowed: Record<string, StatusEvent> = {
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
  const reached: Record<AppointmentStatus, EventOf<typeof appointments>[]> = {
    scheduled: [scheduled()],
    confirmed: [scheduled(), confirmed()],
    completed: [scheduled(), completed()],
    cancelled: [scheduled(), cancelled()],
    no_show: [scheduled(), missed()],
  };
  const pairs = appointmentStatuses.flatMap((from) =>
    appointmentStatuses.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  it.each(pairs)('changes from %s to %s only if the transition is allowed', (from, to) => {
    const outcome = given(...reached[from]).when(change({ status: to }));
    const type = allowed[`${from} ${to}`];
    if (type === undefined) outcome.thenRejects('PM001');
    else outcome.then({ type, data: { status: to } });
  });

  it('can be cancelled after it was confirmed', () => {
    given(scheduled(), confirmed()).when(cancel()).then(cancelled());
  });

  it('cannot be cancelled twice', () => {
    given(scheduled(), cancelled())
      .when(change({ status: 'completed' }))
      .thenRejects('PM001');
  });

  it('becomes scheduled again only when the time is still free', () => {
    given(scheduled(), cancelled())
      .among(appointments, other())
      .when(change({ status: 'scheduled' }))
      .thenRejects('PM002');
  });
});

describe('an undo', () => {
  it('restores a status that no transition leads to', () => {
    given(scheduled(), confirmed(), cancelled())
      .when(setBack({ status: 'confirmed' }))
      .then({ type: 'AppointmentRestored', data: { status: 'confirmed' } });
    given(scheduled(), completed())
      .when(setBack({ status: 'scheduled' }))
      .then({ type: 'AppointmentRestored', data: { status: 'scheduled' } });
  });

  it('has the event of the transition if there is one', () => {
    given(scheduled(), cancelled())
      .when(setBack({ status: 'scheduled' }))
      .then({ type: 'AppointmentReinstated', data: { status: 'scheduled' } });
  });

  it('does not restore a time that is taken', () => {
    given(scheduled(), confirmed(), cancelled())
      .among(appointments, other())
      .when(setBack({ status: 'confirmed' }))
      .thenRejects('PM002', other().id);
  });
});

describe('moving without an end', () => {
  const moved = { start_time: '14:00', end_time: null };

  it('keeps the length of an appointment without a service', () => {
    given(scheduled())
      .when(change(moved))
      .then(rescheduled({ start_time: '14:00', end_time: '15:00' }));
  });

  it('takes the length of the service, even if the same change sets the service', () => {
    given(scheduled({ service_id: massage }))
      .among(serviceMenu, onMenu())
      .when(change(moved))
      .then(rescheduled({ start_time: '14:00', end_time: '14:50' }));
    given(scheduled())
      .among(serviceMenu, onMenu())
      .when(change({ service_id: massage, end_time: null }))
      .then(rescheduled({ end_time: '09:50' }), {
        type: 'AppointmentDetailsChanged',
        data: { service_id: massage, price: '80.00' },
      });
  });

  it('becomes no event when the end stays the same', () => {
    given(scheduled())
      .when(change({ end_time: null }))
      .thenNothing();
  });

  it('is rejected when the time at the new place is taken', () => {
    given(scheduled())
      .among(appointments, other({ start_time: '14:30', end_time: '15:30' }))
      .when(change(moved))
      .thenRejects('PM002');
  });

  it('is rejected when it would end after midnight', () => {
    given(scheduled())
      .when(change({ start_time: '23:30', end_time: null }))
      .thenRejects('23514', /next day/);
  });
});

describe('a change', () => {
  it('becomes one event for each kind of change, in the order of the definition', () => {
    given(scheduled())
      .when(change({ status: 'confirmed', notes: 'bring the report', start_time: '08:30' }))
      .then(
        rescheduled({ start_time: '08:30' }),
        { type: 'AppointmentDetailsChanged', data: { notes: 'bring the report' } },
        confirmed(),
      );
  });

  it('of nothing becomes no event', () => {
    given(scheduled()).when(change({})).thenNothing();
  });
});

describe('deleting', () => {
  it('can be undone after a change of the zone: the appointment gets the instants of the new one', () => {
    const inTokyo = { starts_at: '2026-05-04T00:00:00+00:00', ends_at: '2026-05-04T01:00:00+00:00' };
    given()
      .among(practiceSettings, { id: record().therapist_id, time_zone: 'Asia/Tokyo' })
      .when(bringBack())
      .then(scheduled({ ...inTokyo, time_zone: 'Asia/Tokyo' }));
  });

  it('ends the stream', () => {
    given(scheduled()).when({ kind: 'delete' }).then({ type: 'AppointmentDeleted', data: {} });
  });
});
