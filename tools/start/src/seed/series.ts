// The series of the demo practice: a client who comes every Tuesday at noon, when nothing else is booked.
import { dayAfter, weekdayOf } from './day.js';
import type { Practice } from './year.js';

const TUESDAY = 2;

/** From the next Tuesday on. */
export function seriesFrom(today: string, { services, clients, faker }: Practice) {
  const client = clients.find(({ status, isCouple }) => status === 'active' && !isCouple);
  const service = services.find(({ name }) => name === 'Individual therapy');
  if (client === undefined || service === undefined) return [];
  const days = ((TUESDAY - weekdayOf(today) + 6) % 7) + 1;
  return [
    {
      ...{ id: faker.string.uuid(), client_id: client.id, service_id: service.id },
      ...{ date: dayAfter(today, days), start_time: '12:35', end_time: '13:25' },
      ...{ rrule: 'FREQ=WEEKLY;COUNT=12', on_conflict: 'skip' },
    },
  ];
}
