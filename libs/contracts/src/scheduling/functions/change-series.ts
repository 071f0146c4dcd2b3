import { column, defineFunction, returns } from '@practice/resource';

const CLEARED = 'Null clears it; if omitted, it stays.';

export const changeSeries = defineFunction({
  name: 'change_series',
  service: 'scheduling',
  description:
    'Changes a series from an occurrence on: this and the following appointments that are scheduled or confirmed get the given values. An appointment that was changed by itself stays as it is, unless `include_exceptions` is true. The series itself then begins with the first of them. All of it is one change: if a time is taken, nothing happens, and the response is 409 `PM002`.',
  arguments: {
    series_id: column.uuid({ required: true }),
    from_date: column.date({
      required: true,
      description:
        'Occurrences of the rule on this day and later change (`series_date`). If the series has no occurrence there, the call is 400 `22023`, unless both `date` and `rrule` are given.',
    }),
    date: column.date({
      description:
        'The new date of the first of these occurrences. The rule continues from there, so it must have this date.',
    }),
    rrule: column.text({
      maxLength: 320,
      description:
        'The new rule from there on; COUNT counts from there. The first occurrence takes its first date, and so on: further ones are booked, and missing ones cancelled. If only `date` is given, the rule stays and has as many occurrences as before.',
    }),
    start_time: column.timeOfDay(),
    end_time: column.timeOfDay({
      description:
        'If omitted although `start_time` or `service_id` is given: `start_time` plus the duration of the service; without a service, the length stays.',
    }),
    client_id: column.uuid({ description: CLEARED }),
    service_id: column.uuid({ description: CLEARED }),
    practitioner_id: column.uuid({ description: CLEARED }),
    notes: column.text({ description: CLEARED }),
    include_exceptions: column.boolean({
      default: false,
      description: 'True: appointments that were changed by themselves change too.',
    }),
  },
  example: {
    series_id: '4a0b9f6e-0000-4000-8000-000000000001',
    from_date: '2030-03-04',
    start_time: '15:00',
  },
  returns: returns.object({
    id: column.uuid({ required: true, description: 'The series.' }),
    rrule: column.text({ required: true }),
    date: column.date({ required: true }),
    start_time: column.timeOfDay({ required: true }),
    end_time: column.timeOfDay({ required: true }),
    changed: column.integer({ required: true, description: 'Appointments that have changed.' }),
    booked: column.integer({ required: true, description: 'Appointments that the new rule has added.' }),
    cancelled: column.integer({
      required: true,
      description: 'Appointments that the new rule does not have.',
    }),
  }),
  effect: 'writes',
  roles: ['owner', 'therapist', 'front_desk'],
});
