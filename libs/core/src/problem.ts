// Everything that can be said to a caller about a request that was refused.
// A problem is data; `reject` raises it; one filter per edge turns it into an answer.

import { errorCatalog, statusesOf, type ErrorCode, type StatusOf } from './error-catalog.js';
import type { ErrorRow } from './standard-error-catalog.js';

/** The body of an error answer, as PostgREST shapes it, with the HTTP status it travels under. */
export interface Problem {
  readonly status: number;
  /** `PGRST…` (PostgREST's), a SQLSTATE (Postgres's) or `PM…` (this product's). */
  readonly code: string;
  readonly message: string;
  /** A text, or the records or relations that are in the way. */
  readonly details?: string | readonly Readonly<Record<string, string>>[] | null;
  readonly hint?: string | null;
  /** Headers that belong to the problem itself, such as `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refused request on its way to the edge. Anything else that is thrown is a defect and becomes a 500. */
export class Rejection extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code} ${problem.message}`);
    this.name = 'Rejection';
    this.problem = problem;
  }
}

/** A problem, or a code with what the place says more precisely than the catalogue. */
type Refusal = [problem: Problem] | [code: ErrorCode, precise?: Omit<Precise<ErrorCode>, 'status'>];

/**
 * Refuses the request.
 * @throws {Rejection} always
 */
export function reject(...[refusal, precise]: Refusal): never {
  throw new Rejection(typeof refusal === 'string' ? problemFor(refusal, precise) : refusal);
}

/** The members that a place adds to the row of its code, or says more precisely. */
type Precise<Code extends ErrorCode> = Partial<Omit<Problem, 'status' | 'code'>> & {
  readonly status?: StatusOf<Code> & number;
};

/** The problem of a code in the catalogue: its status, message and hint, unless the place has more precise ones. */
export function problemFor<Code extends ErrorCode>(code: Code, precise: Precise<Code> = {}): Problem {
  const row: ErrorRow = errorCatalog[code];
  const [status] = statusesOf(row);
  return {
    status,
    code,
    message: row.message,
    ...(row.hint === undefined ? {} : { hint: row.hint }),
    ...precise,
  };
}

/** A defect. The caller learns only how to name the request. */
export const internalError = (requestId: string): Problem =>
  problemFor('XX000', { hint: `Request id ${requestId}` });

/**
 * A write that was sent, and whose result did not come back. It may have been carried out, or may still be: only a write with an
 * `Idempotency-Key` may be repeated.
 */
export const unknownOutcome = problemFor('PM504');

/** The same for a write with an `Idempotency-Key`: a repetition does no harm. */
export const unknownButRepeatable = problemFor('PM503', {
  message: 'The outcome of this write is unknown. Repeat it with the same Idempotency-Key.',
  hint: 'A write with an Idempotency-Key is carried out once.',
  headers: { 'Retry-After': '1' },
});

/** The error body: always the four keys, `null` rather than absent. */
export function problemBody(problem: Problem): string {
  const { code, message, hint = null } = problem;
  return JSON.stringify({ code, message, details: detailsOf(problem), hint });
}

/**
 * The problem's own details; without them, the seconds of the `Retry-After` header in words: clients such as supabase-js
 * hide the headers of a response.
 */
export function detailsOf({ details, headers }: Problem): NonNullable<Problem['details']> | null {
  if (details !== undefined && details !== null) return details;
  const seconds = headers?.['Retry-After'];
  return seconds === undefined ? null : `Retry after ${seconds} ${seconds === '1' ? 'second' : 'seconds'}.`;
}

/** 22023: the argument of a function has the right type, and a value that it cannot have. */
export const invalidArgument = (name: string, details: string): Problem =>
  problemFor('22023', { message: `invalid value for argument "${name}"`, details });
