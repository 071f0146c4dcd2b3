// The tools that read the calendar: a range of days with its gaps, a client at a glance, and free times.

import { freeSlots as freeSlotsFunction } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import type { InnerCalls } from './inner-calls.js';
import { holds, toolIdentity } from './scopes.js';
import { day, id, object, quotedAll, records, result, time, whole } from './tool.js';
import type { Json, ReadTool } from './tool.js';

const MOST_DAYS = 31;
const DAY_MS = 86_400_000;
const MOST_ROWS = 500;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The columns of appointments that the calendar shows. */
const SHOWN = 'id,date,start_time,end_time,status,client_id,client_name,service_id,practitioner_id,series_id';

interface Booked extends Json {
  readonly date: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly status: string;
}

interface Hours {
  readonly day_of_week: string;
  readonly open_time: string;
  readonly close_time: string;
}

const calendar: ReadTool = {
  name: 'day',
  title: 'The calendar',
  description: `Appointments with client names from one day to another, at most ${MOST_DAYS} days, and the gaps within business hours.`,
  scope: 'appointments:read',
  input: object({ from: day(), to: day('default: from'), practitioner: id('a user_id') }, ['from']),
  output: result({ appointments: records, gaps: records }),
  run: async ({ from, to = from, practitioner }, calls) => {
    const days = daysBetween(String(from), String(to));
    const whose =
      practitioner === undefined
        ? ''
        : `&or=(practitioner_id.eq.${String(practitioner)},practitioner_id.is.null)`;
    const range = `date=gte.${String(from)}&date=lte.${String(to)}${whose}`;
    const [booked, hours] = await Promise.all([
      calls.read<Booked>(
        `appointments?select=${SHOWN}&${range}&order=date,start_time&limit=${MOST_ROWS + 1}`,
      ),
      holds(toolIdentity(calls.identity), 'business_hours:read')
        ? calls.read<Hours>('business_hours?order=open_time')
        : [],
    ]);
    // Days whose appointments were not read would look free.
    if (booked.length > MOST_ROWS) return reject(tooManyRows);
    const gaps = days.flatMap((date) => gapsOf(date, booked, hours));
    return { text: `${booked.length} appointments`, data: { appointments: quotedAll(booked), gaps } };
  },
};

const tooManyRows = problemFor('PM400', {
  message: `the range has more than ${MOST_ROWS} appointments`,
  hint: 'Call it for fewer days, or for one practitioner.',
});

/** @throws {Rejection} unless the range has 1 to 31 days */
function daysBetween(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  if (!(count >= 1 && count <= MOST_DAYS))
    return reject('PM400', { message: `from and to must be dates of at most ${MOST_DAYS} days` });
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The times of a day within business hours in which nothing is booked. */
function gapsOf(date: string, booked: readonly Booked[], hours: readonly Hours[]): Json[] {
  const weekday = WEEKDAYS[new Date(date).getUTCDay()];
  const taken = booked.filter((one) => one.date === date && ['scheduled', 'confirmed'].includes(one.status));
  return hours
    .filter((span) => span.day_of_week === weekday)
    .flatMap(({ open_time: open, close_time: close }) => {
      const gaps: Json[] = [];
      let free = open;
      for (const { start_time: start, end_time: end } of taken.filter((one) => one.start_time < close)) {
        if (start > free) gaps.push({ date, start_time: free, end_time: start });
        if (end > free) free = end;
      }
      return free < close ? [...gaps, { date, start_time: free, end_time: close }] : gaps;
    });
}

const clientSummary: ReadTool = {
  name: 'client_summary',
  title: 'A client at a glance',
  description: 'A client with the next and last appointments, open balance and last conversation entries.',
  scope: 'appointments:read',
  isFor: (identity) => holds(identity, 'appointments:read') && holds(identity, 'clients:read'),
  input: object({ client_id: id() }, ['client_id']),
  output: result({
    client: { type: 'object' },
    next: records,
    last: records,
    balance: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    conversation: records,
  }),
  run: async ({ client_id: clientId }, calls) => {
    const now = new Date().toISOString();
    const of = `client_id=eq.${String(clientId)}`;
    const visits = `appointments?select=${SHOWN}&${of}`;
    const [[client], next, last, balances, conversation] = await Promise.all([
      calls.read<Json>(`clients?id=eq.${String(clientId)}`),
      calls.read<Json>(`${visits}&starts_at=gte.${now}&order=starts_at&limit=3`),
      calls.read<Json>(`${visits}&starts_at=lt.${now}&order=starts_at.desc&limit=3`),
      ifReadable(calls, 'client_balances', `${of}&select=receivable,credit,balance`),
      ifReadable(calls, 'conversation_log', `${of}&order=created_at.desc&limit=5`),
    ]);
    if (client === undefined) return reject('PM404', { message: 'There is no client with this id' });
    return {
      text: `${next.length} coming appointments`,
      data: {
        client: quotedAll(client)[0],
        next: quotedAll(next),
        last: quotedAll(last),
        balance: quotedAll(balances)[0] ?? null,
        conversation: quotedAll(conversation),
      },
    };
  },
};

const ifReadable = async (calls: InnerCalls, name: string, query: string): Promise<readonly Json[]> =>
  holds(calls.identity, `${name}:read`) ? calls.read<Json>(`${name}?${query}`) : [];

const freeSlots: ReadTool = {
  name: 'free_slots',
  title: 'Free times',
  description:
    'The next times that can be booked, for a service or a duration in minutes: within 14 days, or from `from` to `to`, at most 92 days.',
  scope: 'appointments:read',
  isFor: (identity) =>
    holds(identity, 'appointments:read') && freeSlotsFunction.roles.includes(identity.practiceRole),
  input: object({
    service_id: id(),
    duration: whole(1, 1440),
    from: day(),
    to: day(),
    weekdays: { type: 'array', items: { type: 'string' } },
    after: time,
    before: time,
    practitioner_id: id(),
    limit: whole(1, 100),
  }),
  output: result({ slots: records }),
  run: async ({ limit = 20, ...args }, calls) => {
    const slots = await nextSlots(calls, args, Number(limit));
    return { text: `${slots.length} free times`, data: { slots } };
  },
};

/** The next free times. @param args the arguments of `rpc/free_slots` */
export async function nextSlots(calls: InnerCalls, args: Json, limit: number): Promise<Json[]> {
  const path = `rpc/free_slots?select=date,start_time,end_time,seats_left&limit=${limit}`;
  return quotedAll(await calls.need({ method: 'POST', path, body: args, isOfTool: true }));
}

export const calendarTools: readonly ReadTool[] = [calendar, clientSummary, freeSlots];
