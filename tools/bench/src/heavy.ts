// Requests that take much time of the process that serves them. One practice sends only these requests.

import { type ApiAccess, demand } from '@practice/start';
import { booking, dayOf, FREE_BEGINS } from './calendar.js';
import type { HttpRequest } from './load/protocol.js';
import { addUpTo, BULK, type Api, type Practice } from './seed/seed.js';

export const heavyKinds = ['free slots', 'undo', 'series', 'bulk writes', 'calendar link'] as const;
export type HeavyKind = (typeof heavyKinds)[number];
export const isHeavy = (kind: string): kind is HeavyKind => heavyKinds.some((each) => each === kind);

export type HeavyRequests = Readonly<Record<HeavyKind, readonly HttpRequest[]>>;

const APPOINTMENTS = 4_550;
const SLOT_DAYS = 92;
const SERIES = 10;
const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/**
 * Fills a practice so that its requests are heavy, and returns the requests. They can be repeated, as the writes are dry runs.
 */
export async function heavyRequests(
  api: Api,
  practice: Practice,
  signal: AbortSignal,
): Promise<HeavyRequests> {
  const owner = { ...api, token: practice.token };
  await demand(owner, {
    method: 'PATCH',
    path: '/rest/v1/practice_settings?slot_step=gt.0',
    body: { slot_step: 5, booking_horizon: 3_660 },
  });
  const hours = week.map((day_of_week) => ({ day_of_week, open_time: '00:00', close_time: '23:55' }));
  await demand(owner, '/rest/v1/business_hours', hours);
  await addUpTo(api, practice, { count: APPOINTMENTS, signal });
  const link = (await demand(owner, '/rest/v1/rpc/create_calendar_link', { full: true })) as { url: string };
  const call = callsOf(owner);
  const from = dayOf(practice.begins, 0);
  const slots = { from, to: dayOf(practice.begins, SLOT_DAYS), duration: 10 };
  const rows = Array.from({ length: BULK }, (_, index) => booking(FREE_BEGINS.flood, index));
  const series = Array.from({ length: SERIES }, (_, index) => ({
    rrule: 'FREQ=DAILY;COUNT=99',
    date: dayOf(FREE_BEGINS.flood, 0),
    start_time: `${String(index + 8).padStart(2, '0')}:00`,
    end_time: `${index + 8 < 10 ? '0' : ''}${index + 8}:50`,
  }));
  const since = '1970-01-01T00:00:00Z';
  return {
    // Without `order`, the computation ends with the page. With another order, it needs all slots.
    'free slots': [
      call('rpc/free_slots?limit=1', slots),
      call('rpc/free_slots?order=starts_at.desc&limit=1', slots),
    ],
    undo: [call('rpc/undo', { actor_id: practice.id, since })],
    series: [call('appointment_series', series)],
    'bulk writes': [call('appointments', rows)],
    'calendar link': [{ method: 'GET', path: new URL(link.url).pathname, headers: {} }],
  };
}

/** Calls of a practice that change nothing. */
function callsOf({ apikey, token }: Required<ApiAccess>): (path: string, body: object) => HttpRequest {
  const headers = {
    apikey,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    prefer: 'tx=rollback',
  };
  return (path, body) => ({ method: 'POST', path: `/rest/v1/${path}`, headers, body: JSON.stringify(body) });
}
