import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { eventually } from './eventually.js';
import type { Answer, Practice } from './practice.js';

/** A record in a response. */
export type Made = Readonly<Record<string, unknown>> & { readonly id: string };

/** Creates a record and returns the server's version of it. */
export async function make(practice: Practice, resource: string, record: object): Promise<Made> {
  return (await makeAll(practice, resource, record))[0] as Made;
}

/**
 * Sends a write with an Idempotency-Key. On a busy machine, a request may take longer than its deadline. It is then repeated: after a
 * 503, and after the 409 that says that the first request is still running.
 */
export const repeated = (what: string, write: () => Promise<Answer>): Promise<Answer> =>
  eventually(what, async () => {
    const answer = await write();
    return answer.status !== 503 && !answer.text.includes('PM005') && answer;
  });

/** Sends a request that may be carried out twice, and repeats it up to three times if a busy machine is late with the answer. */
export async function patient(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let left = 3; left > 0 && [503, 504].includes(answer.status); left -= 1) answer = await send();
  return answer;
}

/**
 * Creates records with one request.
 * @param target the resource, and perhaps a query
 */
export async function makeAll(practice: Practice, target: string, body: object): Promise<Made[]> {
  const headers = { prefer: 'return=representation', 'idempotency-key': randomUUID() };
  const answer = await repeated(`records of ${target} are made`, () =>
    practice.rest(target, { method: 'POST', body, headers }),
  );
  expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, '']);
  return answer.json as Made[];
}

/** Changes the record with this id. Fails if the record does not exist or cannot be changed. */
export async function patch(practice: Practice, resource: string, { id, ...changes }: Made): Promise<void> {
  const answer = await practice.rest(`${resource}?id=eq.${id}`, { method: 'PATCH', body: changes });
  expect([answer.status, answer.text]).toEqual([204, '']);
}

/** Deletes the record with this id. */
export const remove = (practice: Practice, resource: string, id: string): Promise<Answer> =>
  practice.rest(`${resource}?id=eq.${id}`, { method: 'DELETE' });

/** The record with this id, or undefined. */
export async function find(practice: Practice, resource: string, id: string): Promise<Made | undefined> {
  const answer = await practice.rest(`${resource}?id=eq.${id}`);
  expect(answer.status).toBe(200);
  return (answer.json as Made[])[0];
}

/** Slots on days in the distant past, which do not conflict with other appointments. */
export const slot = (index: number): { date: string; start_time: string; end_time: string } => ({
  date: new Date(Date.UTC(2001, 0, 1 + Math.floor(index / 16))).toISOString().slice(0, 10),
  start_time: `${String(6 + (index % 16)).padStart(2, '0')}:00`,
  end_time: `${String(6 + (index % 16)).padStart(2, '0')}:50`,
});
