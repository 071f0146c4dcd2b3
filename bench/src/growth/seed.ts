// Practices by the thousand: no sign-ups, for their tokens are another issuer's; what they hold is made over HTTP.

import { randomUUID } from 'node:crypto';
import { booking, SEED_BEGINS } from '../calendar.js';
import { post, send } from '../seed/http.js';
import { clientRows } from '../seed/records.js';
import type { Api, Practice, SeededAppointment } from '../seed/seed.js';
import type { GrowthSizes } from './sizes.js';
import { tokenFor } from './token.js';

export interface Growing extends Practice {
  /** Kept up to date while it grows. */
  appointments: SeededAppointment[];
}

export interface Seeding {
  readonly api: Api;
  readonly secret: string;
  readonly signal: AbortSignal;
}

const AT_ONCE = 12;
/** The most rows that one write may bring. */
const BULK = 1_000;

/** Adds practices until there are `count`. */
export async function growPractices(
  seeding: Seeding,
  practices: Growing[],
  { count, sizes }: { count: number; sizes: GrowthSizes },
): Promise<void> {
  let missing = count - practices.length;
  const workers = Array.from({ length: AT_ONCE }, async () => {
    while (missing-- > 0) {
      seeding.signal.throwIfAborted();
      const practice = await openPractice(seeding, sizes.clientsEach);
      await growAppointments(seeding, practice, sizes.appointmentsEach);
      practices.push(practice);
    }
  });
  await Promise.all(workers);
}

/** A practice with clients and no appointments yet. */
export async function openPractice({ api, secret }: Seeding, clients: number): Promise<Growing> {
  const id = randomUUID();
  const practice: Growing = { id, token: tokenFor(id, secret), appointments: [], regulars: [] };
  await send(`${api.baseUrl}/rest/v1/clients`, headersOf(api, practice), clientRows(clients));
  return practice;
}

/** Adds appointments until the practice has `count`. */
export async function growAppointments({ api, signal }: Seeding, practice: Growing, count: number) {
  while (practice.appointments.length < count) {
    signal.throwIfAborted();
    const first = practice.appointments.length;
    const rows = Array.from({ length: Math.min(BULK, count - first) }, (_, index) =>
      booking(SEED_BEGINS, first + index),
    );
    const made = await post<SeededAppointment[]>(
      `${api.baseUrl}/rest/v1/appointments?select=id,date,status`,
      { ...headersOf(api, practice), prefer: 'return=representation' },
      rows,
    );
    practice.appointments.push(...made);
  }
}

const headersOf = ({ apikey }: Api, { token }: Practice) => ({ apikey, authorization: `Bearer ${token}` });
