// In which turn what is wrong with a request is found: PostgREST looks into its own cache first, and then asks the database.

import { Rejection } from '@practice/core';

/** SQLSTATEs are five characters, of which the last three may be letters: `42703`, `22P02`. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof Rejection &&
  /^[0-9A-Z]{5}$/.test(error.problem.code) &&
  !error.problem.code.startsWith('PM');

/**
 * Plans; should that find what only the database would have found, whatever else there is comes first.
 * @param checks everything that is looked at before the database is asked
 * @throws {Rejection} the first in PostgREST's order
 */
export function beforeDatabase<T>(plan: () => T, checks: () => unknown): T {
  try {
    return plan();
  } catch (error) {
    if (isOfDatabase(error)) checks();
    throw error;
  }
}
