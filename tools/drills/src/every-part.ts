// A walk through the product by its API, as a new practice: bookings, related records, series, undo, past states and an export.
import { randomUUID } from 'node:crypto';
import { messageOf } from '@practice/process';
import { type ApiAccess, signUp } from '@practice/start';
import { callAs } from './kit/call.js';
import type { Drilling } from './kit/drill.js';
import { bookings } from './parts/bookings.js';
import { history } from './parts/history.js';

/** Signs a practice up, uses every part, and checks the responses. */
export async function useEverything(
  system: Pick<ApiAccess, 'baseUrl' | 'apikey'>,
  check: Drilling['check'],
): Promise<void> {
  const tour = { call: callAs(await signUp(system)), client: randomUUID(), service: randomUUID() };
  for (const { title, walk } of [...bookings, ...history]) {
    const [isMet, found] = await walk(tour).catch((error: unknown) => [false, messageOf(error)] as const);
    check(title, isMet, found);
  }
}
