import { types } from 'node:util';
import { busy, problemFor, Rejection, unknownOutcome, type Problem } from '@practice/core';
import { problemOfDatabase } from '@practice/query';
import { ACCESS_LOG, type Resource } from '@practice/resource';
import { DatabaseError } from 'pg';

/**
 * Returns the error of a failed statement as a `Rejection` for the caller. A defect is returned as it is.
 * @param resource the resource that the statement was about: its definition may have the message for a broken constraint
 */
export function asProblem(error: unknown, resource?: Resource): unknown {
  if (error instanceof CommitLost) return new Rejection(unknownOutcome);
  if (isDiskFull(error)) return new Rejection(diskFull);
  if (isDatabaseUnavailable(error)) return new Rejection(databaseUnavailable);
  if (!isDatabaseError(error)) return error;
  // The log has refused an event: a defect of the write path, never the caller's mistake.
  if (error.table === 'events') return error;
  if (error.table === ACCESS_LOG) return new Rejection(notRecorded);
  if (ROLLED_BACK.includes(error.code)) return new Rejection(busy);
  const problem = problemOfDatabase(error, resource);
  return problem.status === 500 ? error : new Rejection(problem);
}

/** A response with confidential records is not sent before the access is recorded. */
export const notRecorded: Problem = problemFor('PM503', {
  message: 'the access to confidential records could not be recorded',
  headers: { 'Retry-After': '1' },
});

/** lock_not_available, deadlock_detected: the transaction was rolled back as a whole, so the request may be sent again. */
const ROLLED_BACK = ['55P03', '40P01'];

/** The practice's reads have taken more time than one practice may have. */
export const tooMuchTime = (ms: number): Problem =>
  problemFor('PM004', {
    message: 'The reads of this practice have taken too much time',
    hint: 'Use filters on indexed columns, simpler patterns, or fewer rows.',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) },
  });

const databaseUnavailable: Problem = problemFor('PM503', {
  message: 'The database is unavailable',
  hint: 'Retry. Nothing was written.',
  headers: { 'Retry-After': '1' },
});

/** The disk has no space, or only its reserve. */
export const diskFull: Problem = problemFor('PM507', {
  message: 'the disk of the server is full',
  details: 'Nothing was written. Records can be read.',
  hint: 'Try again later, with the same Idempotency-Key. The operator of this API has to free space on the disk.',
  headers: { 'Retry-After': '10' },
});

/**
 * SQLSTATEs of a server that is shutting down, has crashed, is starting (57P01 to 57P03), drops connections (class 08), has no
 * resources left (class 53, except for 53100, disk_full: the server goes on), or no longer leads its cluster: a standby accepts
 * no writes (25006, read_only_sql_transaction). No transaction of the project is declared read-only.
 */
const UNAVAILABLE = /^(?:08|53[023]|57P0[1-3]|25006)/;

/** pg's own errors of a connection that ended under a query, or could not be made, have only a message. */
const LOST =
  /connection (?:terminated|error|ended)|not queryable|^timeout expired$|timeout exceeded when trying to connect/i;

/** disk_full of Postgres, or Node's errors of a file. */
const DISK_FULL = ['53100', 'ENOSPC', 'EDQUOT'];

/** Whether something could not be written because the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && DISK_FULL.includes((error as { code?: string }).code ?? '');

/** Whether an error means that Postgres cannot be reached, or cannot serve now. Only this function decides that. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitLost) return true;
  if (isDiskFull(error)) return false;
  if (isDatabaseError(error)) return UNAVAILABLE.test(error.code);
  // Node's errors of a socket, such as EPIPE, ECONNREFUSED and ECONNRESET.
  return types.isNativeError(error) && ('syscall' in error || LOST.test(error.message));
}

/** The connection was lost after COMMIT had been sent and before Postgres answered: it is unknown whether the transaction was committed. */
export class CommitLost extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause });
  }
}

/**
 * Waits for the end of a transaction.
 * @param end the answer to the statement that ends it, and to the statements that were sent with it
 * @throws {CommitLost} in place of the error of a connection that was lost
 */
export async function ending<T>(how: 'COMMIT' | 'ROLLBACK', end: Promise<T>): Promise<T> {
  try {
    return await end;
  } catch (error) {
    throw how === 'COMMIT' && mayBeCommitted(error) ? new CommitLost(error) : error;
  }
}

/**
 * After an error of a statement, Postgres rolls back. A message that ends the session may follow a commit, whatever its SQLSTATE: after
 * a PANIC in a COMMIT, as on a full disk, the recovery may find the commit in the write-ahead log.
 */
function mayBeCommitted(error: unknown): boolean {
  const severity = isDatabaseError(error) ? error.severity : undefined;
  if (severity === 'ERROR') return false;
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  return isDatabaseUnavailable(error) && !UNSENT.test((error as Error).message);
}

/** pg has sent nothing, as the connection was lost before. */
const UNSENT = /not queryable/;

/** Whether Postgres has cancelled the statement, because it took too long or on request. */
export const isCancelled = (error: unknown): boolean => isDatabaseError(error) && error.code === '57014';

/** Whether Postgres does not know a prepared statement: it was sent behind the first use of the statement, which failed. */
export const isNotPrepared = (error: unknown): boolean => isDatabaseError(error) && error.code === '26000';

/** An error that Postgres itself has reported; its code is an SQLSTATE. */
const isDatabaseError = (error: unknown): error is DatabaseError & { code: string } =>
  error instanceof DatabaseError && error.code !== undefined;
