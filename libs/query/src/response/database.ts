// Converts errors of Postgres to problems for the caller, with Postgres' own code and without details about storage.

import type { Problem } from '@practice/core';
import type { Resource } from '@practice/resource';

/** The fields of Postgres' error message that are used here. */
export interface DatabaseError {
  /** SQLSTATE. */
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly constraint?: string | undefined;
  readonly table?: string | undefined;
}

/**
 * The problem to report.
 * @param resource the resource of the statement, whose definition may have its own message for a constraint
 */
export function problemOfDatabase(error: DatabaseError, resource: Resource | undefined): Problem {
  return declaredProblem(error, resource) ?? problemOfConstraint(error) ?? problemOfState(error);
}

function declaredProblem({ constraint }: DatabaseError, resource: Resource | undefined): Problem | null {
  if (constraint === undefined || resource === undefined) return null;
  const rules = [...(resource.uniques ?? []), ...(resource.exclusions ?? [])];
  const problem = rules.find(({ name }) => name === constraint)?.problem;
  return problem === undefined ? null : { status: 409, ...problem };
}

/** The problem of a violated constraint. Postgres' details contain the whole row, unless the constraint is a key. */
function problemOfConstraint({ code, message, detail }: DatabaseError): Problem | null {
  switch (code) {
    case '23505':
    case '23503':
      return { status: 409, code, message, details: withoutPractice(detail) };
    case '23502':
    case '23514':
    case '23P01':
      return { status: 400, code, message };
    default:
      return null;
  }
}

/**
 * `Key (therapist_id, id)=(…, 1) already exists.` without the practice: `Key (id)=(1) already exists.`
 * The practice comes first in every key, so its value ends at the first comma.
 */
function withoutPractice(detail: string | undefined): string | null {
  if (detail === undefined) return null;
  const shown = detail.replace(/^Key \(therapist_id, ([^)]*)\)=\([0-9a-f-]{36}, /, 'Key ($1)=(');
  return shown.includes('therapist_id') ? null : shown;
}

/**
 * The HTTP status by SQLSTATE: the first row that matches applies. Any other code is the caller's error. The service detects an
 * unavailable database before it calls `problemOfDatabase`.
 */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^P0001$/, 400],
  [/^(?:42501|0L|0P|28)/, 403],
  [/^(?:42P01|42883)/, 404],
  [/^57014/, 504],
  // 26 is a statement that the connection does not know: a defect of the service.
  [/^(?:08|09|21000|25|26|2D|38|39|3B|40|42P17|53|54|55|57|58|P0|XX)/, 500],
];

/** Errors whose messages quote only the caller's input. Of syntax errors, these are the errors in a full-text query. */
const TELLING = /^(?:22|42804|42846|42883|42704)|^42601 (?:syntax error|no operand) in tsquery/;

const statusOf = (code: string): number => statuses.find(([codes]) => codes.test(code))?.[1] ?? 400;

function problemOfState({ code, message, detail, hint }: DatabaseError): Problem {
  const status = statusOf(code);
  if (status === 504) return { status, code, message: 'canceling statement due to statement timeout' };
  if (status === 403) return { status, code, message: 'permission denied' };
  if (status >= 500) return { status, code, message: 'Internal server error' };
  return TELLING.test(`${code} ${message}`)
    ? { status, code, message, details: detail ?? null, hint: hint ?? null }
    : { status, code, message: 'the database rejected the request' };
}
