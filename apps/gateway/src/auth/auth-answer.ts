// Responses of the auth API. The shape of its errors was changed once; which one a caller reads, it says in a header.

import type { Problem } from '@practice/core';
import { JSON_TYPE } from '../http/responses.js';
import type { HttpResponse } from '../http/responses.js';
import type { AuthProblem } from './errors.js';

const VERSION_HEADER = 'X-Supabase-Api-Version';
/** The version of the auth API whose errors have a `code` by name. */
export const NAMED_CODES = '2024-01-01';

/** A call's result. */
export function authAnswer(body: object, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

/**
 * A refusal.
 * @param version the caller's `X-Supabase-Api-Version`
 */
export function authProblemResponse(problem: Problem, version: string | string[] | undefined): HttpResponse {
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

function problemFields(
  { status, code, message, weakPassword, isOAuth }: AuthProblem,
  isNamed: boolean,
): object {
  if (isOAuth === true) return { error: code, error_description: message };
  const weak = weakPassword === undefined ? {} : { weak_password: { reasons: weakPassword } };
  return isNamed ? { code, message, ...weak } : { code: status, error_code: code, msg: message, ...weak };
}
