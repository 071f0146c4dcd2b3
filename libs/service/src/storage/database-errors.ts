import { Rejection } from '@practice/core';
import type { Problem } from '@practice/core';
import { problemOfDatabase } from '@practice/query';
import type { Resource } from '@practice/resource';
import { DatabaseError } from 'pg';

/**
 * The meaning of a failed statement for the caller, as a `Rejection`. A defect stays the error that it is.
 * @param resource the resource that the statement was about: its definition may word a broken constraint itself
 */
export function asProblem(error: unknown, resource?: Resource): unknown {
  if (isDatabaseUnavailable(error)) return new Rejection(databaseUnavailable);
  if (!isDatabaseError(error)) return error;
  // The log has refused an event: a defect of the write path, never the caller's mistake.
  if (error.table === 'events') return error;
  if (ROLLED_BACK.includes(error.code)) return new Rejection(busy);
  const problem = problemOfDatabase(error, resource);
  return problem.status === 500 ? error : new Rejection(problem);
}

/** lock_not_available, deadlock_detected: rolled back as a whole, so the request may be sent again. */
const ROLLED_BACK = ['55P03', '40P01'];

/** Too much work is waiting for the practice; this was not begun. */
export const busy: Problem = {
  status: 503,
  code: 'PM503',
  message: 'The service has too much to do for this practice',
  headers: { 'Retry-After': '1' },
};

const databaseUnavailable: Problem = {
  status: 503,
  code: 'PM503',
  message: 'The database is unavailable',
  hint: 'Retry. A write is safe to repeat with the same Idempotency-Key.',
  headers: { 'Retry-After': '1' },
};

/**
 * SQLSTATEs of a server that is shutting down, has crashed, is starting (57P01 to 57P03), drops connections (class 08) or
 * has no resources left (53000 to 53300).
 */
const UNAVAILABLE = /^(?:08|53[0-3]|57P0[1-3])/;

/** pg's own errors of a connection that ended under a query, or could not be made, have only a message. */
const LOST = /connection (?:terminated|error|ended)|not queryable|timeout exceeded when trying to connect/i;

/** Whether an error means that Postgres cannot be reached, or cannot serve now. The only place that knows. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (isDatabaseError(error)) return UNAVAILABLE.test(error.code);
  // Node's errors of a socket, such as EPIPE, ECONNREFUSED and ECONNRESET.
  return error instanceof Error && ('syscall' in error || LOST.test(error.message));
}

/** An error that Postgres itself has reported; its code is an SQLSTATE. */
const isDatabaseError = (error: unknown): error is DatabaseError & { code: string } =>
  error instanceof DatabaseError && error.code !== undefined;
