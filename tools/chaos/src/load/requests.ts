// Requests of the load, and their effects.

import type { Effect, Row } from './journal.js';
import type { Caller } from './persist.js';
import type { Call } from './practice.js';
import type { Write } from './worker.js';

/** A request, and the status that acknowledges it. */
type Acknowledged = Pick<Write, 'request' | 'expected'>;

export const whole = { prefer: 'return=representation' };
export const insert = (resource: string, body: unknown): Acknowledged => ({
  request: { method: 'POST', path: `/rest/v1/${resource}`, body, headers: whole },
  expected: 201,
});
export const change = (resource: string, id: string, body: unknown): Acknowledged => ({
  request: { method: 'PATCH', path: `/rest/v1/${resource}?id=eq.${id}`, body, headers: whole },
  expected: 200,
});
export const read = (query: string): Call => ({ method: 'GET', path: `/rest/v1/${query}` });

export const effectOf =
  (schema: string, table: string) =>
  (type: string, id: string, row: Row): Effect => ({ schema, table, id, type, row });

export const oneOf = <T>({ random }: Caller, values: readonly T[]): T | undefined =>
  values[random(values.length)];
export const taken = <T>({ random }: Caller, values: T[]): T | undefined =>
  values.splice(random(values.length), 1)[0];
export const amountOf = ({ random }: Caller): string => `${1 + random(10_000)}.${10 + random(90)}`;
