// Practices by the thousand: no sign-ups, for their tokens are another issuer's; what they hold is made over HTTP.

import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { booking, SEED_BEGINS } from '../calendar.js';
import { post } from '../seed/http.js';
import { clientRows } from '../seed/records.js';
import { addAppointments, atOnce, headersOf } from '../seed/seed.js';
import type { Api, Practice, SeededAppointment } from '../seed/seed.js';

export interface Growing extends Practice {
  /** Kept up to date while it grows. */
  appointments: SeededAppointment[];
}

export interface Seeding {
  readonly api: Api;
  /** Shared by the gateway and the issuer of the tokens. */
  readonly secret: string;
  readonly signal: AbortSignal;
}

const AT_ONCE = 12;
/** The most rows that one write may bring. */
const BULK = 1_000;

/** Adds practices until there are `count`. */
export const growPractices = (
  seeding: Seeding,
  practices: Growing[],
  { count, clientsEach, appointmentsEach }: Record<'count' | 'clientsEach' | 'appointmentsEach', number>,
): Promise<void> =>
  atOnce(AT_ONCE, count - practices.length, async () => {
    seeding.signal.throwIfAborted();
    const practice = await openPractice(seeding, clientsEach);
    await growAppointments(seeding, practice, appointmentsEach);
    practices.push(practice);
  });

/** A practice with clients and no appointments yet. */
export async function openPractice({ api, secret }: Seeding, clients: number): Promise<Growing> {
  const id = randomUUID();
  const claims = { sub: id, role: 'authenticated', aud: 'authenticated' };
  const token = jwt.sign(claims, secret, { expiresIn: '3h' });
  const practice: Growing = { id, token, appointments: [], regulars: [] };
  await post(`${api.baseUrl}/rest/v1/clients`, headersOf(api, token), clientRows(clients));
  return practice;
}

/** Adds appointments until the practice has `count`. */
export async function growAppointments({ api, signal }: Seeding, practice: Growing, count: number) {
  while (practice.appointments.length < count) {
    signal.throwIfAborted();
    const first = practice.appointments.length;
    const bookings = Array.from({ length: Math.min(BULK, count - first) }, (_, index) =>
      booking(SEED_BEGINS, first + index),
    );
    practice.appointments.push(...(await addAppointments(api, practice.token, bookings)));
  }
}
