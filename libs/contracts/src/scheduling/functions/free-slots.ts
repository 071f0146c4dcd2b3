import { column, defineFunction, returns } from '@practice/resource';

export const freeSlots = defineFunction({
  name: 'free_slots',
  service: 'scheduling',
  description:
    'The times that can be booked, in order: within business hours, after the notice and up to the horizon, with the buffers around appointments. Give `service_id`, `duration` or both.',
  arguments: {
    service_id: column.uuid({
      description: 'The service, for its duration and free seats in group slots.',
    }),
    duration: column.integer({
      min: 1,
      max: 1440,
      description: 'Minutes, instead of the duration of the service.',
    }),
    from: column.date({ description: 'The first day. If omitted: today in the time zone of the practice.' }),
    to: column.date({
      description: 'The last day, at most 92 days after the first. If omitted: 14 days after the first.',
    }),
    weekdays: column.texts({ description: 'Only these: monday, tuesday, … If omitted: every day.' }),
    after: column.timeOfDay({ description: 'The earliest start of a slot.' }),
    before: column.timeOfDay({ description: 'The latest end of a slot.' }),
    practitioner_id: column.uuid({
      description: 'Free in this member’s calendar. If omitted: in every calendar.',
    }),
  },
  example: { duration: 50, weekdays: ['monday', 'tuesday'], after: '13:00' },
  returns: returns.rows({
    date: column.date({ required: true }),
    start_time: column.timeOfDay({ required: true }),
    end_time: column.timeOfDay({ required: true }),
    starts_at: column.timestamp({ required: true, description: 'The instant of the start.' }),
    ends_at: column.timestamp({ required: true, description: 'The instant of the end.' }),
    seats_left: column.integer({
      required: true,
      description: 'Bookings that the slot can take: more than one for a group.',
    }),
  }),
  effect: 'reads',
  roles: ['owner', 'therapist', 'front_desk', 'read_only'],
});
