// Practices with appointments, made as any caller would make them: sign-ups and bulk inserts over HTTP.

import { randomUUID } from 'node:crypto';
import { booking, SEED_BEGINS } from '../calendar.js';
import type { Sizes } from '../sizes.js';
import { post, send } from './http.js';
import { recordsOfPractice } from './records.js';

export interface Practice {
  readonly id: string;
  /** Access token of its owner. */
  readonly token: string;
  readonly appointments: readonly SeededAppointment[];
  /** Clients with many notes; empty if the practice has only appointments. */
  readonly regulars: readonly string[];
}

export interface SeededAppointment {
  readonly id: string;
  readonly date: string;
  readonly status: string;
}

export interface Api {
  readonly baseUrl: string;
  readonly apikey: string;
}

const AT_ONCE = 4;

/** Seeds all practices, a few side by side. */
export async function seed(api: Api, sizes: Sizes, signal: AbortSignal): Promise<Practice[]> {
  const practices: Practice[] = [];
  let next = 0;
  const workers = Array.from({ length: AT_ONCE }, async () => {
    while (next < sizes.practices) {
      signal.throwIfAborted();
      practices.push(await openPractice(api, next++, sizes));
    }
  });
  await Promise.all(workers);
  return practices;
}

async function openPractice({ baseUrl, apikey }: Api, index: number, sizes: Sizes): Promise<Practice> {
  const login = { email: `practice-${index}@example.com`, password: randomUUID() };
  const { access_token: token, user } = await post<{ access_token: string; user: { id: string } }>(
    `${baseUrl}/auth/v1/signup`,
    { apikey },
    login,
  );
  const appointments = await post<SeededAppointment[]>(
    `${baseUrl}/rest/v1/appointments?select=id,date,status`,
    { apikey, authorization: `Bearer ${token}`, prefer: 'return=representation' },
    Array.from({ length: sizes.appointmentsPerPractice }, (_, position) => booking(SEED_BEGINS, position)),
  );
  const regulars =
    index < sizes.practicesWithRecords ? await fillRecords(`${baseUrl}/rest/v1`, { apikey, token }) : [];
  return { id: user.id, token, appointments, regulars };
}

/** The clients with many notes. */
async function fillRecords(
  restUrl: string,
  { apikey, token }: { apikey: string; token: string },
): Promise<readonly string[]> {
  const { regulars, bulks } = recordsOfPractice();
  const headers = { apikey, authorization: `Bearer ${token}` };
  for (const { resource, rows } of bulks) await send(`${restUrl}/${resource}`, headers, rows);
  return regulars;
}
