import { column, resource, type RowOf } from '@practice/resource';

/** The maximum number of occurrences of a series. */
export const MAX_OCCURRENCES = 366;

export const appointmentSeries = resource({
  name: 'appointment_series',
  service: 'scheduling',
  aggregate: 'appointment_series',
  description:
    'Series of appointments. Creating a series books its appointments, changing it changes future ones, ending it cancels them.',
  mostDependents: MAX_OCCURRENCES,
  roles: {
    front_desk: 'delete',
    billing: {
      may: 'read',
      shows: [
        'rrule',
        'date',
        'start_time',
        'end_time',
        'client_id',
        'service_id',
        'practitioner_id',
        'status',
        'on_conflict',
        'skipped',
        'created_at',
      ],
    },
  },
  columns: {
    rrule: column.text({
      required: true,
      maxLength: 320,
      format: 'recurrence',
      description: `RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY) with INTERVAL, BYDAY, BYMONTHDAY, and either COUNT or UNTIL (a date; an instant in UTC becomes the date in the zone of the practice). At most ${MAX_OCCURRENCES} occurrences: \`FREQ=WEEKLY;COUNT=10\`.`,
    }),
    date: column.date({
      required: true,
      description: 'The first occurrence of the rule. After `change_series`: the first one that it changed.',
    }),
    start_time: column.timeOfDay({ required: true }),
    end_time: column.timeOfDay({
      requiredUnless: 'service_id',
      after: 'start_time',
      description:
        'If omitted: start_time plus the duration of the service. Null in a change computes it again; without a service, the length stays.',
    }),
    client_id: column.uuid({ references: 'clients' }),
    service_id: column.uuid({ references: 'service_menu' }),
    practitioner_id: column.uuid({
      among: { resource: 'memberships', column: 'user_id', where: { status: ['active'] } },
      description: 'The member in whose calendar the appointments are. Null: the whole practice.',
    }),
    notes: column.text({ personal: { of: 'client_id' }, description: 'The notes of each appointment.' }),
    status: column.text({ default: 'active', oneOf: ['active', 'ended'] }),
    on_conflict: column.text({
      default: 'reject',
      oneOf: ['reject', 'skip'],
      description:
        'If a time is taken when the series is created: `reject` books nothing, `skip` leaves the date out.',
    }),
    skipped: column.dates({
      readOnly: true,
      description: 'The dates left out on creation.',
    }),
  },
  events: {
    AppointmentSeriesScheduled: 'created',
    AppointmentSeriesChanged: 'others',
    AppointmentSeriesEnded: ['status'],
    AppointmentSeriesDeleted: 'deleted',
  },
  indexes: [['client_id'], ['service_id']],
});

export type AppointmentSeries = RowOf<typeof appointmentSeries>;
