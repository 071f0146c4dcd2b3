import { column, defineFunction, returns } from '@practice/resource';

const CLEARED = 'Null clears it; if omitted, it stays.';

export const changeSeries = defineFunction({
  name: 'change_series',
  service: 'scheduling',
  description:
    'Changes the scheduled and confirmed appointments of a series from an occurrence on. Individually changed appointments stay unchanged unless `include_exceptions` is true. The series then begins with the first of them. If a time is taken, nothing changes: 409 `PM002`.',
  arguments: {
    series_id: column.uuid({ required: true }),
    from_date: column.date({
      required: true,
      description:
        'Occurrences (`series_date`) from this day on change. Without one: 400 `22023`, unless `date` and `rrule` are given.',
    }),
    date: column.date({
      description: 'The new date of the first of them, which the rule must have.',
    }),
    rrule: column.text({
      maxLength: 320,
      description:
        'The new rule from there on. Its dates replace the old ones in order: further ones are booked, missing ones cancelled. With `date` only, the rule and the number of occurrences stay.',
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
      description: 'True: individually changed appointments change too.',
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
