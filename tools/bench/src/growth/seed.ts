// Practices by the thousand: no sign-ups, because another issuer signs their tokens. Their records are made over HTTP, or copied.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import jwt from 'jsonwebtoken';
import { ISSUER } from '../bench.config.js';
import { dayOf, SEED_BEGINS } from '../calendar.js';
import { PER_DAY } from '../scenario.js';
import { patch, post } from '../seed/http.js';
import { clientRows, hours } from '../seed/records.js';
import { addUpTo, atOnce, BULK, headersOf } from '../seed/seed.js';
import type { Api, Practice, SeededAppointment } from '../seed/seed.js';

export interface Growing extends Practice {
  /** Kept up to date while it grows. */
  appointments: SeededAppointment[];
  /** An instant when all of them had been made, and before the last ones were changed. */
  asOf: string;
}

export interface Seeding {
  readonly api: Api;
  /** Shared by the gateway and the issuer of the tokens. */
  readonly secret: string;
  readonly signal: AbortSignal;
}

const AT_ONCE = 12;
/** More than a millisecond, so that no change is recorded at the instant before it. */
const A_MOMENT_MS = 5;
/** So many practices are made over HTTP; more than that are copies. */
const MOST_OVER_HTTP = 1_000;

/**
 * Adds practices until there are `count`.
 * @param copy copies a practice under other ids
 */
export async function growPractices(
  seeding: Seeding,
  practices: Growing[],
  { count, clientsEach, appointmentsEach, copy }: Growth,
): Promise<void> {
  const made = async (): Promise<Growing> => {
    seeding.signal.throwIfAborted();
    const practice = await openPractice(seeding, clientsEach);
    await growAppointments(seeding, practice, appointmentsEach);
    return practice;
  };
  await atOnce(AT_ONCE, Math.min(count, MOST_OVER_HTTP) - practices.length, async () => {
    practices.push(await made());
  });
  if (practices.length >= count) return;
  // A new one: measurements have added bookings and series to the others.
  const original = await made();
  practices.push(original);
  const copies = Array.from({ length: count - practices.length }, () => ({
    ...original,
    ...newPractice(seeding),
  }));
  await copy(
    original.id,
    copies.map(({ id }) => id),
  );
  for (const practice of copies) practices.push(practice);
}

export interface Growth {
  readonly count: number;
  readonly clientsEach: number;
  readonly appointmentsEach: number;
  readonly copy: (id: string, ids: readonly string[]) => Promise<void>;
}

function newPractice({ secret }: Seeding): Pick<Growing, 'id' | 'token'> {
  const id = randomUUID();
  const claims = { sub: id, role: 'authenticated', aud: 'authenticated' };
  return { id, token: jwt.sign(claims, secret, { expiresIn: '3h', issuer: ISSUER }) };
}

/** A practice with clients and business hours, and no appointments yet. */
export async function openPractice(seeding: Seeding, clients: number): Promise<Growing> {
  const { api } = seeding;
  const practice: Growing = { ...newPractice(seeding), appointments: [], asOf: '', regulars: [] };
  const { token } = practice;
  await post(`${api.baseUrl}/rest/v1/clients`, headersOf(api, token), clientRows(clients));
  await post(`${api.baseUrl}/rest/v1/business_hours`, headersOf(api, token), hours);
  return practice;
}

/** Adds appointments until the practice has `count`, then changes the new ones. */
export async function growAppointments(seeding: Seeding, practice: Growing, count: number) {
  const { api, signal } = seeding;
  const before = practice.appointments.length;
  for (const added of await addUpTo(api, practice, { count, signal })) practice.appointments.push(added);
  practice.asOf = new Date().toISOString();
  await pause(A_MOMENT_MS);
  for (let first = before; first < count; first += BULK) {
    signal.throwIfAborted();
    await changeAppointments(seeding, practice, [first, Math.min(first + BULK, count) - 1]);
  }
}

/** Changes all appointments of some days. @param range the first and the last appointment */
async function changeAppointments(
  { api }: Seeding,
  { token }: Practice,
  range: readonly number[],
): Promise<void> {
  const [from, to] = range.map((index) => dayOf(SEED_BEGINS, Math.floor(index / PER_DAY)));
  const url = `${api.baseUrl}/rest/v1/appointments?date=gte.${from}&date=lte.${to}`;
  await patch(url, headersOf(api, token), { notes: 'Prefers the window.' });
}
