import { describe, expect, it } from '@jest/globals';
import { Rejection, unknownOutcome } from '@practice/core';
import { DatabaseError } from 'pg';
import { asProblem, CommitLost, ending, isDatabaseUnavailable } from './database-errors.js';

function databaseError(code: string, fields: Partial<DatabaseError> = {}): DatabaseError {
  return Object.assign(new DatabaseError('from Postgres', 13, 'error'), { code, ...fields });
}

const systemError = (code: string): Error =>
  Object.assign(new Error(code), { code, syscall: 'write', errno: -32 });

const statusOf = (error: unknown): number | undefined => {
  const problem = asProblem(error);
  return problem instanceof Rejection ? problem.problem.status : undefined;
};

describe('an unavailable database', () => {
  it.each(['57P01', '57P02', '57P03', '08006', '53300', '25006'])('is recognised by SQLSTATE %s', (code) => {
    expect(isDatabaseUnavailable(databaseError(code))).toBe(true);
    expect(statusOf(databaseError(code))).toBe(503);
  });

  it.each(['EPIPE', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'])(
    'is recognised by the system error %s',
    (code) => {
      expect(statusOf(systemError(code))).toBe(503);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'timeout exceeded when trying to connect',
    'timeout expired',
  ])('is recognised by the driver’s message: %s', (message) => {
    expect(statusOf(new Error(message))).toBe(503);
  });

  it('does not include a full disk', () => {
    for (const error of [databaseError('53100'), systemError('ENOSPC')]) {
      expect(isDatabaseUnavailable(error)).toBe(false);
      expect(statusOf(error)).toBe(507);
    }
  });

  it('does not include a defect or an error with a code of five letters', () => {
    const defect = new TypeError('x is not a function');
    expect(asProblem(defect)).toBe(defect);
    const other = Object.assign(new Error('other'), { code: 'ABCDE' });
    expect(asProblem(other)).toBe(other);
  });
});

describe('an error of the database', () => {
  it('is the caller’s problem, unless the log refused an event', () => {
    expect(statusOf(databaseError('23505', { table: 'clients', constraint: 'clients_pkey' }))).toBe(409);
    const refused = databaseError('23505', { table: 'events', constraint: 'events_stream_key' });
    expect(asProblem(refused)).toBe(refused);
  });

  it.each(['55P03', '40P01'])('that rolled the transaction back is 503 (%s)', (code) => {
    expect(statusOf(databaseError(code))).toBe(503);
  });
});

describe('an error during a commit', () => {
  const lost = async (fields: Partial<DatabaseError>, code = '53100'): Promise<unknown> =>
    ending('COMMIT', Promise.reject(databaseError(code, fields))).catch((error: unknown) => error);

  it.each(['PANIC', 'FATAL'])('that ends the session leaves the outcome open (%s)', async (severity) => {
    for (const code of ['53100', '58030', '57P02']) {
      const error = await lost({ severity }, code);
      expect(error).toBeInstanceOf(CommitLost);
      expect(isDatabaseUnavailable(error)).toBe(true);
      expect(asProblem(error)).toMatchObject({ problem: unknownOutcome });
    }
  });

  it('of a statement has rolled back', async () => {
    expect(statusOf(await lost({ severity: 'ERROR' }))).toBe(507);
  });

  it('says nothing about a rollback', async () => {
    const error = databaseError('53100', { severity: 'PANIC' });
    await expect(ending('ROLLBACK', Promise.reject(error))).rejects.toBe(error);
  });
});
