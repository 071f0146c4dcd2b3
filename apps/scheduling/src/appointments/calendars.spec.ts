// The calendar of an appointment decides which other appointments it conflicts with.

import { describe, it } from '@jest/globals';
import { appointments, serviceMenu, type Appointment } from '@practice/contracts';
import { recordsOf } from '@practice/testing';
import { change, given, record, schedule, scheduled } from './testing/appointments.js';

const massage = '018f0000-0000-7000-8000-0000000000a1';

const onMenu = recordsOf(serviceMenu, { id: massage, name: 'Massage', duration: 50, price: '80.00' });

const other = (but: Partial<Appointment> = {}): Appointment =>
  record({ id: '018f0000-0000-7000-8000-000000000020', ...but });
const third = (but: Partial<Appointment> = {}): Appointment =>
  record({ id: '018f0000-0000-7000-8000-000000000030', ...but });

describe('calendars of practitioners', () => {
  const [ann, bob] = ['018f0000-0000-7000-8000-0000000000b1', '018f0000-0000-7000-8000-0000000000b2'];

  it('do not block each other', () => {
    const booked = { practitioner_id: ann };
    given()
      .among(appointments, other({ practitioner_id: bob }))
      .when(schedule(booked))
      .then(scheduled(booked));
  });

  it.each([
    ['an appointment of the same practitioner', ann, ann],
    ['an appointment of the whole practice', null, ann],
    ['an appointment of a practitioner for the whole practice', ann, null],
  ])('are blocked by %s', (_, there, wanted) => {
    given()
      .among(appointments, other({ practitioner_id: there }))
      .when(schedule({ practitioner_id: wanted }))
      .thenRejects('PM002', other().id);
  });

  it('are compared when an appointment moves from one to another', () => {
    given(scheduled({ practitioner_id: ann }))
      .among(appointments, other({ practitioner_id: bob }))
      .when(change({ practitioner_id: bob }))
      .thenRejects('PM002', other().id);
  });

  it('have the capacity of a service each, with different seats', () => {
    const slot = { service_id: massage };
    given()
      .among(serviceMenu, onMenu())
      .among(appointments, other({ ...slot, practitioner_id: ann }))
      .when(schedule({ ...slot, practitioner_id: bob }))
      .then(scheduled({ ...slot, practitioner_id: bob, price: '80.00', seat: 1 }));
  });

  it('have room for an appointment of the whole practice only if the fullest calendar has', () => {
    const slot = { service_id: massage };
    const [inAnns, inBobs] = [
      other({ ...slot, practitioner_id: ann }),
      third({ ...slot, practitioner_id: bob }),
    ];
    const booking = given().among(appointments, inAnns, { ...inBobs, seat: 1 });
    booking
      .among(serviceMenu, onMenu({ capacity: 2 }))
      .when(schedule(slot))
      .then(scheduled({ ...slot, price: '80.00', seat: 2 }));
    booking
      .among(serviceMenu, onMenu({ capacity: 1 }))
      .when(schedule(slot))
      .thenRejects('PM002');
  });
});
