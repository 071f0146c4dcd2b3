import { column, external, resource, type RowOf } from '@practice/resource';
import { problemFor, type Problem } from '@practice/core';

export const appointmentStatuses = ['scheduled', 'confirmed', 'completed', 'cancelled', 'no_show'] as const;

export type AppointmentStatus = (typeof appointmentStatuses)[number];

/** The only statuses in which an appointment blocks its time. */
export const occupyingStatuses: readonly AppointmentStatus[] = ['scheduled', 'confirmed'];

export const doubleBooked: Problem = problemFor('PM002');

/** The problem of an appointment that breaks a booking rule. Its details name the rule: hours, buffer, notice or horizon. */
export const outsideBookingRules: Problem = problemFor('PM008');

/** The rules of computed instants, which are null before the year 1 and after the year 9999, in UTC. */
const computed = { readOnly: true, computed: true } as const;
const inZone =
  ' in the time zone of the practice (`practice_settings`). At a DST change, skipped times move forward by the gap; ambiguous times use the first occurrence.';

const imported = external('appointments', { of: 'client_id' });

const occupying = { status: occupyingStatuses, allow_overlap: [false] };

export const appointments = resource({
  name: 'appointments',
  service: 'scheduling',
  aggregate: 'appointment',
  description: 'Appointments. One without a client blocks the time.',
  roles: {
    front_desk: 'delete',
    billing: {
      may: 'read',
      shows: [
        'date',
        'start_time',
        'end_time',
        'status',
        'client_id',
        'client_name',
        'service_id',
        'price',
        'practitioner_id',
        'allow_overlap',
        'series_id',
        'series_date',
        'starts_at',
        'ends_at',
        'created_at',
      ],
    },
  },
  columns: {
    date: column.date({ requiredUnless: 'starts_at' }),
    start_time: column.timeOfDay({ requiredUnless: 'starts_at' }),
    end_time: column.timeOfDay({
      requiredUnless: ['service_id', 'ends_at'],
      after: 'start_time',
      description:
        'If omitted: start_time plus the duration of the service. Null in a change computes it again; without a service, the length stays.',
    }),
    status: column.text({ default: 'scheduled', oneOf: appointmentStatuses }),
    client_id: column.uuid({ references: 'clients' }),
    client_name: column.text({ maxLength: 320, personal: { of: 'client_id' } }),
    service_id: column.uuid({ references: 'service_menu' }),
    price: column.money({
      min: 0,
      description:
        'The price of the appointment. If omitted: the price of the service when it is booked, or when another service is chosen.',
    }),
    practitioner_id: column.uuid({
      among: { resource: 'memberships', column: 'user_id', where: { status: ['active'] } },
      description:
        'The member whose calendar it is in. Null: the whole practice, which blocks every calendar.',
    }),
    notes: column.text({ personal: { of: 'client_id' } }),
    allow_overlap: column.boolean({
      default: false,
      description: 'True: the appointment may overlap others.',
    }),
    series_id: column.uuid({
      references: 'appointment_series',
      description: 'The series that the appointment is part of.',
    }),
    series_date: column.date({
      description: 'The day of this occurrence in the rule of the series, also after a move to another day.',
    }),
    is_exception: column.boolean({
      default: false,
      description:
        'True: the appointment was changed individually, so changes of its series leave it unchanged. May be set.',
    }),
    ...imported.columns,
    starts_at: column.timestamp({
      ...computed,
      description: `The instant of start_time${inZone} Writes may set it in place of date and start_time.`,
    }),
    ends_at: column.timestamp({
      ...computed,
      description: `The instant of end_time${inZone} If a DST change moves the start, the end moves by the same amount. Writes may set it in place of end_time.`,
    }),
    time_zone: column.text({
      internal: true,
      description: 'The zone in which the stored instants were computed.',
    }),
    seat: column.integer({
      default: 0,
      internal: true,
      description: 'The seat in a group slot, from 0, so that an index can enforce the capacity.',
    }),
  },
  transitions: {
    scheduled: {
      confirmed: 'AppointmentConfirmed',
      completed: 'AppointmentCompleted',
      cancelled: 'AppointmentCancelled',
      no_show: 'AppointmentMarkedNoShow',
    },
    confirmed: {
      scheduled: 'AppointmentUnconfirmed',
      completed: 'AppointmentCompleted',
      cancelled: 'AppointmentCancelled',
      no_show: 'AppointmentMarkedNoShow',
    },
    completed: { confirmed: 'AppointmentCompletionUndone' },
    cancelled: { scheduled: 'AppointmentReinstated' },
    no_show: { confirmed: 'AppointmentConfirmed', completed: 'AppointmentCompleted' },
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
  // The second line of defence after the decider: different slots must not overlap, and each seat of a slot is taken only once.
  exclusions: [
    {
      name: 'appointments_no_double_booking',
      overlap: { day: 'date', from: 'start_time', to: 'end_time' },
      equalOrNull: ['practitioner_id'],
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
    imported.unique,
  ],
  instants: {
    ...{
      day: 'date',
      from: 'start_time',
      to: 'end_time',
      start: 'starts_at',
      end: 'ends_at',
      zone: 'time_zone',
    },
    zoneOf: { resource: 'practice_settings', column: 'time_zone' },
  },
  indexes: [['date', 'start_time'], ['client_id', 'date'], ['service_id'], ['series_id']],
});

export type Appointment = RowOf<typeof appointments>;
