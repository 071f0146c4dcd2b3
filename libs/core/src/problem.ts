// Problems: everything that a response can state about a refused request.
// A problem is data, and `reject` throws it. Each edge has one filter that turns it into a response.

import { errorCatalog, statusesOf, type ErrorCode, type StatusOf } from './error-catalog.js';
import type { ErrorRow } from './standard-error-catalog.js';

/** The body of an error response in the shape of PostgREST, with the HTTP status of the response. */
export interface Problem {
  readonly status: number;
  /** `PGRST…` (PostgREST's), a SQLSTATE (Postgres's) or `PM…` (this product's). */
  readonly code: string;
  readonly message: string;
  /** A text, or a list of the records or relations that cause the problem. */
  readonly details?: string | readonly Readonly<Record<string, string>>[] | null;
  readonly hint?: string | null;
  /** Headers that belong to the problem itself, such as `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error that refuses a request. Any other error that is thrown is a defect, and becomes a 500. */
export class Rejection extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code} ${problem.message}`);
    this.name = 'Rejection';
    this.problem = problem;
  }
}

/** A problem, or a code with members that are more precise than the row in the catalogue. */
type Refusal = [problem: Problem] | [code: ErrorCode, precise?: Omit<Precise<ErrorCode>, 'status'>];

/**
 * Refuses the request.
 * @throws {Rejection} always
 */
export function reject(...[refusal, precise]: Refusal): never {
  throw new Rejection(typeof refusal === 'string' ? problemFor(refusal, precise) : refusal);
}

/** The result of a step, or the problem with which the step refuses the request. Other errors are thrown. */
export function outcomeOf<T>(step: () => T): T | Problem {
  try {
    return step();
  } catch (error) {
    if (error instanceof Rejection) return error.problem;
    throw error;
  }
}

/** Members that are added to the row of a code, or that replace members of the row. */
type Precise<Code extends ErrorCode> = Partial<Omit<Problem, 'status' | 'code'>> & {
  readonly status?: StatusOf<Code> & number;
};

/** The problem of a code in the catalogue, with the status, message and hint of its row unless `precise` replaces them. */
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

/** The problem of a defect. It gives the caller only the request id. */
export const internalError = (requestId: string): Problem =>
  problemFor('XX000', { hint: `Request id ${requestId}` });

/**
 * The problem of a write that was sent but whose result did not arrive. The write may have been executed, or may be executed later,
 * so callers may repeat it only with an `Idempotency-Key`.
 */
export const unknownOutcome = problemFor('PM504');

/** The same for a write with an `Idempotency-Key`, which callers can safely repeat. */
export const unknownButRepeatable = problemFor('PM503', {
  message: 'The outcome of this write is unknown. Repeat it with the same Idempotency-Key.',
  hint: 'A write with an Idempotency-Key is carried out once.',
  headers: { 'Retry-After': '1' },
});

/** The problem of an `If-Match` on a write that may be about several records. */
export const needsOneRecord = problemFor('PM006', {
  status: 400,
  message: 'If-Match needs one record',
  hint: 'Name it with id=eq.… on PATCH or DELETE.',
});

/** The error body as JSON. It always has the four keys; a missing value is `null`. */
export function problemBody(problem: Problem): string {
  const { code, message, hint = null } = problem;
  return JSON.stringify({ code, message, details: detailsOf(problem), hint });
}

/**
 * The details of a problem. Without details, they are the seconds of the `Retry-After` header in words, because clients such as
 * supabase-js hide the headers of a response.
 */
export function detailsOf({ details, headers }: Problem): NonNullable<Problem['details']> | null {
  if (details !== undefined && details !== null) return details;
  const seconds = headers?.['Retry-After'];
  return seconds === undefined ? null : `Retry after ${seconds} ${seconds === '1' ? 'second' : 'seconds'}.`;
}

/** 22023: the argument of a function has the right type but an invalid value. */
export const invalidArgument = (name: string, details: string): Problem =>
  problemFor('22023', { message: `invalid value for argument "${name}"`, details });
