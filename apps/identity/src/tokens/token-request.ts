// Reads the body of a request for a personal access token.

import { isScope } from '@practice/contracts';
import type { Fields } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import type { PersonalToken } from '../store/session.entities.js';

/** A request for a new token. */
export type TokenRequest = Pick<PersonalToken, 'name' | 'expiresAt' | 'scopes'>;

const MAX_NAME = 100;
const MAX_SCOPES = 100;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;
const DAY_MS = 86_400_000;
const [DEFAULT_DAYS, MAX_DAYS] = [90, 365];

/**
 * The token that a body asks for. A token ends after 90 days, unless the body names another time.
 * @throws {Rejection} when a member of the body is malformed
 */
export function tokenRequestOf(fields: Fields, now: number): TokenRequest {
  const { name, expires_at: expiresAt = null, read_only: isReadOnly, scopes } = fields;
  return {
    name: nameOf(name),
    expiresAt: expiryOf(expiresAt, now),
    scopes: isOn(isReadOnly)
      ? scopes == null
        ? ['*:read']
        : refuse(problems.scopesAndReadOnly)
      : scopesOf(scopes),
  };
}

function nameOf(name: unknown): string {
  const text = typeof name === 'string' ? name.trim() : '';
  // Names are shown in lists, so they have no control characters. Postgres stores no NUL and no half surrogate pair.
  const isName = text !== '' && text.length <= MAX_NAME && !/[\p{Cc}\p{Cs}]/u.test(text);
  return isName ? text : refuse(problems.badTokenName);
}

const isOn = (value: unknown): boolean =>
  value == null || typeof value === 'boolean' ? value === true : refuse(problems.badReadOnly);

/** Null: everything that the user may do. */
function scopesOf(value: unknown): readonly string[] | null {
  if (value == null) return null;
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_SCOPES;
  return isList && value.every(isScope) ? [...new Set<string>(value)].sort() : refuse(problems.badScopes);
}

/**
 * When a token or grant ends: after 90 days, or at the time that the caller names, within a year.
 * @throws {Rejection} for another value
 */
export function expiryOf(value: unknown, now: number): Date {
  if (value === null) return new Date(now + DEFAULT_DAYS * DAY_MS);
  const time = typeof value === 'string' && INSTANT.test(value) && isDay(value) ? Date.parse(value) : NaN;
  return time > now && time <= now + MAX_DAYS * DAY_MS ? new Date(time) : refuse(problems.badExpiry);
}

/** Whether the date exists: JavaScript reads the 30th of February as the 2nd of March. */
function isDay(instant: string): boolean {
  const day = instant.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
