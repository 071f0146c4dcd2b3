import { Rejection } from '@practice/core';
import { DatabaseError } from 'pg';
import { invalidData, refuse } from '../accounts/problems.js';
import type { AuthProblem } from '../accounts/problems.js';

/**
 * Turns the errors of storing a user into refusals.
 * @param taken the refusal when the address belongs to another user
 */
export const refuseStored =
  (taken: AuthProblem) =>
  (error: unknown): never => {
    if (error instanceof DatabaseError && error.constraint === 'credentials_email_key') refuse(taken);
    // Only the details of the user are free JSON, and JSON can hold texts that Postgres cannot.
    if (error instanceof Rejection && error.problem.code.startsWith('22')) refuse(invalidData);
    throw error;
  };
