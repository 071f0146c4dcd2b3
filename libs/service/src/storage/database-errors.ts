import { Rejection } from '@practice/core';
import type { Problem } from '@practice/core';
import { problemOfDatabase } from '@practice/query';
import type { Resource } from '@practice/resource';

interface DatabaseError extends Error {
  readonly code: string;
  readonly detail?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly hint?: string;
}

/** What a failed statement means to the caller; a defect stays the error it is. */
export function asProblem(error: unknown, resource: Resource): unknown {
  if (error instanceof Rejection || !(error instanceof Error)) return error;
  if (isDatabaseError(error)) {
    if (TAKEN_BACK.includes(error.code)) return new Rejection(busy);
    const problem = problemOfDatabase(error, resource);
    return problem.status === 500 ? error : new Rejection(problem);
  }
  return isLostConnection(error) ? new Rejection(AWAY) : error;
}

/** lock_not_available, deadlock_detected: nothing of it stays, and it may well be sent again. */
const TAKEN_BACK = ['55P03', '40P01'];

/** So much is being done for the practice that this was not begun. */
export const busy: Problem = {
  status: 503,
  code: 'PM503',
  message: 'The service has too much to do for this practice',
  headers: { 'Retry-After': '1' },
};

/** SQLSTATE: five letters or digits; Node's own codes (`ECONNREFUSED`) are longer. */
const isDatabaseError = (error: Error): error is DatabaseError =>
  'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code);

/** Node's errors of a socket have a code; pg's own of a connection that ended under a query have only their words. */
const isLostConnection = (error: Error): boolean =>
  'code' in error ||
  /connection (terminated|error)|not queryable|timeout exceeded when trying to connect/i.test(error.message);

const AWAY = { status: 503, code: 'PM503', message: 'The database is away', headers: { 'Retry-After': '1' } };
