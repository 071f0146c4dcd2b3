import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually } from './eventually.js';
import type { Answer, Call, Practice } from './practice.js';

/** A record in a response. */
export type Made = Readonly<Record<string, unknown>> & { readonly id: string };

/** Creates a record and returns the server's version of it. */
export async function make(practice: Practice, resource: string, record: object): Promise<Made> {
  return (await makeAll(practice, resource, record))[0] as Made;
}

/**
 * Sends a request until it is answered. On a busy machine, a request may take longer than its deadline. It is then repeated: after a 503,
 * and after the 409 that says that the first request with its Idempotency-Key is still running. A write needs such a key.
 */
export const answered = (what: string, ask: () => Promise<Answer>): Promise<Answer> =>
  eventually(`${what} is answered`, async () => {
    const answer = await ask();
    return answer.status !== 503 && !(answer.status === 409 && answer.text.includes('PM005')) && answer;
  });

/** Sends a write until it is answered, under an Idempotency-Key of its own. */
export function write(practice: Pick<Practice, 'rest'>, path: string, given: Call): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID(), ...given.headers };
  return answered(`${given.method} ${path}`, () => practice.rest(path, { ...given, headers }));
}

/** Sends a request that may be carried out twice, and repeats it up to three times if a busy machine is late with the answer. */
export async function patient<Sent extends { readonly status: number }>(
  send: () => PromiseLike<Sent>,
): Promise<Sent> {
  let answer = await send();
  for (let left = 3; left > 0 && [503, 504].includes(answer.status); left -= 1) answer = await send();
  return answer;
}

/**
 * Creates records with one request, which is repeated if the machine is busy.
 * @param target the resource, and perhaps a query
 */
export async function makeAll(practice: Practice, target: string, body: object): Promise<Made[]> {
  const headers = { prefer: 'return=representation' };
  const answer = await write(practice, target, { method: 'POST', body, headers });
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
  return answer.json as Made[];
}

/** Changes the record with this id. Fails if the record does not exist or cannot be changed. */
export async function patch(practice: Practice, resource: string, { id, ...changes }: Made): Promise<void> {
  const answer = await write(practice, `${resource}?id=eq.${id}`, { method: 'PATCH', body: changes });
  expect([answer.status, answer.text]).toEqual([204, '']);
}

/** Deletes the record with this id. */
export const remove = (practice: Practice, resource: string, id: string): Promise<Answer> =>
  write(practice, `${resource}?id=eq.${id}`, { method: 'DELETE' });

/** The record with this id, or undefined. */
export async function find(practice: Practice, resource: string, id: string): Promise<Made | undefined> {
  return (await rowsOf(practice, `${resource}?id=eq.${id}`))[0];
}

/** The records that a read returns. */
export async function rowsOf<Row = Made>(practice: Pick<Practice, 'rest'>, path: string): Promise<Row[]> {
  const answer = await answered(path, () => practice.rest(path));
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json as Row[];
}

/** Slots on days in the distant past, which do not conflict with other appointments. */
export const slot = (index: number): { date: string; start_time: string; end_time: string } => ({
  date: new Date(Date.UTC(2001, 0, 1 + Math.floor(index / 16))).toISOString().slice(0, 10),
  start_time: `${String(6 + (index % 16)).padStart(2, '0')}:00`,
  end_time: `${String(6 + (index % 16)).padStart(2, '0')}:50`,
});
