import { column, resource } from '@practice/resource';
import type { RowOf } from '@practice/resource';
import type { Problem } from '@practice/core';

export const appointmentStatuses = ['scheduled', 'confirmed', 'completed', 'cancelled', 'no_show'] as const;

export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** An appointment blocks its time in these statuses only. */
export const occupyingStatuses: readonly AppointmentStatus[] = ['scheduled', 'confirmed'];

export const doubleBooked: Problem = {
  status: 409,
  code: 'PM002',
  message: 'the time is already booked',
  hint: 'Choose another time, or set allow_overlap on one of the two appointments.',
};

const occupying = { status: occupyingStatuses, allow_overlap: [false] };

export const appointments = resource({
  name: 'appointments',
  service: 'scheduling',
  aggregate: 'appointment',
  description: 'Appointments. An appointment without a client blocks the time.',
  columns: {
    date: column.date({ required: true }),
    start_time: column.timeOfDay({ required: true }),
    end_time: column.timeOfDay({
      requiredUnless: 'service_id',
      after: 'start_time',
      description:
        'If omitted: start_time plus the duration of the service. Null in a change computes it again; without a service, the appointment keeps its length.',
    }),
    status: column.text({ default: 'scheduled', oneOf: appointmentStatuses }),
    client_id: column.uuid({ references: 'clients' }),
    client_name: column.text({ maxLength: 320 }),
    service_id: column.uuid({ references: 'service_menu' }),
    notes: column.text({}),
    allow_overlap: column.boolean({
      default: false,
      description: 'True: the appointment may overlap others.',
    }),
    seat: column.integer({
      default: 0,
      internal: true,
      description: 'The seat in a group slot, from 0, so that an index can enforce the capacity.',
    }),
  },
  events: {
    AppointmentScheduled: 'created',
    AppointmentRescheduled: ['date', 'start_time', 'end_time'],
    AppointmentDetailsChanged: 'others',
    AppointmentConfirmed: ['status'],
    AppointmentUnconfirmed: ['status'],
    AppointmentCompleted: ['status'],
    AppointmentCompletionUndone: ['status'],
    AppointmentCancelled: ['status'],
    AppointmentReinstated: ['status'],
    AppointmentMarkedNoShow: ['status'],
    AppointmentDeleted: 'deleted',
  },
  // The second layer behind the decider: different slots may not overlap, and a slot's seats are taken once each.
  exclusions: [
    {
      name: 'appointments_no_double_booking',
      overlap: { day: 'date', from: 'start_time', to: 'end_time' },
      unlessSame: ['service_id', 'date', 'start_time', 'end_time'],
      where: occupying,
      problem: doubleBooked,
    },
  ],
  uniques: [
    {
      name: 'appointments_seat_key',
      columns: ['service_id', 'date', 'start_time', 'end_time', 'seat'],
      where: occupying,
      problem: doubleBooked,
    },
  ],
  indexes: [['date', 'start_time'], ['client_id', 'date'], ['service_id']],
});

export type Appointment = RowOf<typeof appointments>;
