import { firstRow, rowsOf } from '../kit/call.js';
import type { Step, Tour } from './step.js';

const REPRESENTATION = { prefer: 'return=representation' };
const slotAt = ({ client }: Tour, start: string, end: string): object => ({
  date: '2030-01-07',
  client_id: client,
  start_time: start,
  end_time: end,
});

/** Records and bookings. */
export const bookings: readonly Step[] = [
  {
    title: 'records are created',
    walk: async ({ call, client, service }) => {
      const made = [
        await call('POST clients', { id: client, name: 'Ada Lovelace' }),
        await call('POST service_menu', { id: service, name: 'Therapy', duration: 50, price: 110 }),
        await call('POST expenses', { date: '2030-01-02', amount: 12.5, category: 'Rent' }),
      ];
      return [made.every(({ status }) => status === 201), made];
    },
  },
  {
    title: 'an appointment is booked with the name of a client of another service',
    walk: async (tour) => {
      const slot = slotAt(tour, '09:00', '09:50');
      const booked = await tour.call('POST appointments', slot, REPRESENTATION);
      return [booked.status === 201 && firstRow(booked)['client_name'] === 'Ada Lovelace', booked];
    },
  },
  {
    title: 'of twenty bookings of one time at once, one is made',
    walk: async (tour) => {
      const slot = slotAt(tour, '11:00', '11:50');
      const rivals = Array.from({ length: 20 }, () => tour.call('POST appointments', slot));
      const statuses = (await Promise.all(rivals)).map(({ status }) => status).sort();
      return [statuses[0] === 201 && statuses.slice(1).every((status) => status === 409), statuses];
    },
  },
  {
    title: 'reads have filters, related records of another service, counts and CSV',
    walk: async ({ call }) => {
      const path = 'appointments?status=in.(scheduled,confirmed)&order=start_time&select=clients(name)';
      const read = await call(`GET ${path}`, undefined, { prefer: 'count=exact' });
      const csv = await call('GET clients?select=name', undefined, { accept: 'text/csv' });
      const { name } = (firstRow(read)['clients'] ?? {}) as { name?: string };
      const isCounted = read.headers.get('content-range') === '0-1/2';
      return [name === 'Ada Lovelace' && isCounted && csv.text.includes('Ada Lovelace'), [read, csv]];
    },
  },
  {
    title: 'a series books its appointments, and changes the ones that follow',
    walk: async ({ call, client, service }) => {
      const rule = { rrule: 'FREQ=WEEKLY;COUNT=10', date: '2030-02-04', start_time: '09:00' };
      const record = { ...rule, service_id: service, client_id: client };
      const path = 'appointment_series?select=id,appointments(date)';
      const { id, appointments = [] } = firstRow(await call(`POST ${path}`, record, REPRESENTATION));
      const change = { series_id: id, from_date: '2030-03-04', start_time: '10:00' };
      const changed = await call('POST rpc/change_series', change);
      const moved = await call(`GET appointments?series_id=eq.${String(id)}&start_time=eq.10:00`);
      const isBooked = (appointments as unknown[]).length === 10;
      return [isBooked && changed.status === 200 && rowsOf(moved) === 6, [appointments, changed, moved]];
    },
  },
];
