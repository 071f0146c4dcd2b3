// Errors of the auth API in the shapes that the clients of Supabase read.

import { detailsOf, type Problem } from '@practice/core';

/** An error of the auth API. Clients distinguish errors by `code`. */
export interface AuthProblem extends Problem {
  /** The reasons why a password is too weak. */
  readonly weakPassword?: readonly ('length' | 'pwned')[];
  /** The response has the format of OAuth 2 (RFC 6749, 5.2) instead of the format of this API. */
  readonly isOAuth?: boolean;
}

const VERSION_HEADER = 'X-Supabase-Api-Version';
/** The first API version in which `code` of an error is a named code. */
export const NAMED_CODES = '2024-01-01';
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The response to a refused call. The shape of the body depends on the API version that the caller asks for.
 * @param version the caller's `X-Supabase-Api-Version` header
 */
export function authProblemResponse(
  problem: AuthProblem,
  version: string | string[] | undefined,
): { status: number; headers: Record<string, string>; body: string } {
  const isNamed = typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) && version >= NAMED_CODES;
  const { status, code } = problem;
  return {
    status,
    headers: {
      'Content-Type': JSON_TYPE,
      'X-Sb-Error-Code': code,
      ...(isNamed ? { [VERSION_HEADER]: NAMED_CODES } : {}),
      ...problem.headers,
    },
    body: JSON.stringify(problemFields(problem, isNamed)),
  };
}

/** The body. Each shape has `code` and `message`. In versions before named codes, `code` is the status, and clients read `msg`. */
function problemFields(problem: AuthProblem, isNamed: boolean): object {
  const { status, code, message, hint, weakPassword, isOAuth } = problem;
  if (isOAuth === true) return { error: code, error_description: message, code, message };
  const details = detailsOf(problem);
  return {
    ...(isNamed ? { code } : { code: status, error_code: code, msg: message }),
    message,
    ...(details === null ? {} : { details }),
    ...(hint == null ? {} : { hint }),
    ...(weakPassword === undefined ? {} : { weak_password: { reasons: weakPassword } }),
  };
}

/** A refusal of the gateway or of the identity service. */
export const tooManyRequests: AuthProblem = {
  status: 429,
  code: 'over_request_rate_limit',
  message: 'Request rate limit reached',
};
export const tooBusy: AuthProblem = {
  status: 503,
  code: 'over_capacity',
  message: 'Too many sign-ins at the same time',
};
