// Practices with appointments, made as any caller would make them: sign-ups and bulk inserts over HTTP.

import { type ApiAccess, demand, signUp } from '@practice/start';
import { booking, seedBegins, type Booking } from '../calendar.js';
import type { Sizes } from '../sizes.js';
import { recordsOfPractice } from './records.js';

export interface Practice {
  readonly id: string;
  /** The first day of its appointments. */
  readonly begins: number;
  /** Access token of its owner. */
  readonly token: string;
  readonly appointments: readonly SeededAppointment[];
  /** Clients with many notes; empty if the practice has only appointments. */
  readonly regulars: readonly string[];
}

export type SeededAppointment = Pick<Booking, 'date' | 'status'> & { readonly id: string };

export type Api = Pick<ApiAccess, 'baseUrl' | 'apikey'>;

/** The most rows of a write. */
const BULK = 1_000;
const AT_ONCE = 4;

/** Seeds all practices, a few side by side. */
export async function seed(api: Api, sizes: Sizes, signal: AbortSignal): Promise<Practice[]> {
  const practices: Practice[] = [];
  await atOnce(AT_ONCE, sizes.practices, async (index) => {
    signal.throwIfAborted();
    practices.push(await openPractice(api, index, sizes));
  });
  return practices;
}

/** Runs `work` `times` times, up to `workers` of them at once. */
export async function atOnce(
  workers: number,
  times: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < times) await work(next++);
    }),
  );
}

async function openPractice(api: Api, index: number, sizes: Sizes): Promise<Practice> {
  const { therapistId: id, token } = await signUp(api);
  const begins = seedBegins(index);
  const bookings = Array.from({ length: sizes.appointmentsPerPractice }, (_, position) =>
    booking(begins, position),
  );
  const appointments = await addAppointments(api, token, bookings);
  const hasRecords = index < sizes.practicesWithRecords;
  return {
    id,
    begins,
    token,
    appointments,
    regulars: hasRecords ? await addRecords(api, token) : [],
  };
}

export async function addAppointments(
  api: Api,
  token: string,
  bookings: readonly Booking[],
): Promise<SeededAppointment[]> {
  const path = '/rest/v1/appointments?select=id,date,status';
  return (await insert({ ...api, token }, path, bookings)) as SeededAppointment[];
}

/** Adds appointments of the seed until the practice has `count` of them. @returns the new ones */
export async function addUpTo(
  api: Api,
  { token, begins, appointments: { length: before } }: Practice,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<SeededAppointment[]> {
  const added: SeededAppointment[] = [];
  for (let first = before; first < count; first += BULK) {
    signal.throwIfAborted();
    const bookings = Array.from({ length: Math.min(BULK, count - first) }, (_, index) =>
      booking(begins, first + index),
    );
    added.push(...(await addAppointments(api, token, bookings)));
  }
  return added;
}

/** Returns the clients with many notes. */
async function addRecords(api: Api, token: string): Promise<readonly string[]> {
  const { regulars, bulks } = recordsOfPractice();
  for (const { resource, rows } of bulks) await insert({ ...api, token }, `/rest/v1/${resource}`, rows);
  return regulars;
}

const insert = (access: ApiAccess, path: string, body: readonly object[]): Promise<unknown> =>
  demand(access, { method: 'POST', path, body, headers: { prefer: 'return=representation' } });
