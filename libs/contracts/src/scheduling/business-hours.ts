import { problemFor } from '@practice/core';
import { column, resource } from '@practice/resource';

export const businessHours = resource({
  name: 'business_hours',
  service: 'scheduling',
  aggregate: 'business_hours',
  description: 'Opening hours of the practice. A day may have several spans.',
  roles: { front_desk: 'read' },
  columns: {
    day_of_week: column.text({
      required: true,
      lowerCase: true,
      oneOf: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
    }),
    open_time: column.timeOfDay({ required: true }),
    close_time: column.timeOfDay({ required: true, after: 'open_time' }),
  },
  events: {
    BusinessHoursAdded: 'created',
    BusinessHoursChanged: 'others',
    BusinessHoursRemoved: 'deleted',
  },
  uniques: [{ name: 'business_hours_day_of_week_open_time_key', columns: ['day_of_week', 'open_time'] }],
  exclusions: [
    {
      name: 'business_hours_no_overlap',
      equal: ['day_of_week'],
      overlap: { from: 'open_time', to: 'close_time' },
      problem: problemFor('PM003'),
    },
  ],
});
