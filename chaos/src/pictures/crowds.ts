// Callers beside the even load.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@practice/dev';
import { createJournal } from '../load/journal.js';
import { mixedLoad } from '../load/operations.js';
import { send, signUp, type Api, type Request } from '../load/practice.js';
import { work } from '../load/worker.js';

interface Crowd {
  readonly practices: number;
  /** The longest pause of a caller between two requests, in milliseconds. */
  readonly rest: number;
}

/** More practices, each with one caller, until `ended`. */
export async function crowd(api: Api, { practices, rest }: Crowd, ended: AbortSignal): Promise<void> {
  const [journal, random] = [createJournal(), createRandom(2)];
  await Promise.all(
    Array.from({ length: practices }, async () => {
      const practice = await signUp(api);
      const memory = { clients: [], expenses: [], booked: [], times: { next: 0 } };
      await work({ api, practice, journal, random }, memory, { operations: mixedLoad, ended, rest });
    }),
  );
}

/** One practice that sends on many connections as fast as it gets responses, until `ended`. */
export async function flood(api: Api, connections: number, ended: AbortSignal): Promise<void> {
  const practice = await signUp(api);
  const read: Request = { method: 'GET', path: '/rest/v1/expenses?order=date,id&limit=100' };
  const write = (): Request => ({
    ...{ method: 'POST', path: '/rest/v1/expenses' },
    body: { id: randomUUID(), date: '2026-01-05', amount: '12.50' },
  });
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      while (!ended.aborted) await sent(api, practice, index % 2 === 0 ? read : write());
    }),
  );
}

/** A person who signs up, and reads from the replica, again and again. */
export async function visit(api: Api): Promise<never> {
  const request = { method: 'GET', path: '/rest/v1/clients?limit=20', headers: { prefer: 'read=replica' } };
  for (;;) {
    const practice = await signUp(api).catch(() => undefined);
    for (let reads = 0; reads < 10 && practice !== undefined; reads += 1) {
      await sent(api, practice, request);
      await pause(100);
    }
    await pause(100);
  }
}

/** A request whose outcome does not matter: the graphs show it. */
const sent = (api: Api, practice: { readonly token: string }, request: Request): Promise<unknown> =>
  send(api, practice, request).catch(() => undefined);
