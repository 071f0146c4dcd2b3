import { DatabaseError } from 'pg';
import { refuse } from '../calls/problems.js';
import type { AuthProblem } from '../calls/problems.js';

/**
 * Turns the error of storing an address that belongs to another user into a refusal.
 * @param taken the refusal
 */
export const refuseStored =
  (taken: AuthProblem) =>
  (error: unknown): never => {
    if (error instanceof DatabaseError && error.constraint === 'credentials_email_key') refuse(taken);
    throw error;
  };
